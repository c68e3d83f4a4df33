/** Keeps a fault of a game's own table from taking the match away: another table takes its place. */

import { Component, type FunctionComponent } from "preact";

import type { TableProps } from "./table_props.js";

interface GuardProps {
  Table: FunctionComponent<TableProps>;
  /** Fetches the table that takes its place. */
  instead: () => Promise<FunctionComponent<TableProps>>;
  props: TableProps;
}

interface GuardState {
  isBroken: boolean;
  other?: FunctionComponent<TableProps>;
}

export class TableGuard extends Component<GuardProps, GuardState> {
  override state: GuardState = { isBroken: false };

  static override getDerivedStateFromError(): GuardState {
    return { isBroken: true };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
    void this.props.instead().then((other) => this.setState({ other }));
  }

  override render() {
    const { Table, props } = this.props;
    const { isBroken, other: Other } = this.state;
    if (!isBroken) return <Table {...props} />;
    return Other === undefined ? null : <Other {...props} />;
  }
}
