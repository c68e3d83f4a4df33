/** Keeps a fault of a game's own table from taking the match away: the generic table takes its place. */

import { Component, type FunctionComponent } from "preact";

import { GenericTable } from "./GenericTable.js";
import type { TableProps } from "./table_props.js";

interface GuardProps {
  Table: FunctionComponent<TableProps>;
  props: TableProps;
}

export class TableGuard extends Component<GuardProps, { isBroken: boolean }> {
  override state = { isBroken: false };

  static override getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render() {
    const { Table, props } = this.props;
    return this.state.isBroken ? <GenericTable {...props} /> : <Table {...props} />;
  }
}
