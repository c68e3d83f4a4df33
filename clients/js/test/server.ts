/** A server of this repository, for tests: `make install` builds it. */

import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const COMMAND = process.env["MACHIAVEL"] ?? new URL("../../../.venv/bin/machiavel", import.meta.url).pathname;

/** A running server; it keeps its matches over a restart. */
export class TestServer {
  readonly #folder = mkdtempSync(join(tmpdir(), "machiavel-"));
  readonly #arguments: readonly string[];
  #place = "127.0.0.1:0";
  #metrics = "";
  #process: ChildProcess | undefined;

  constructor(...flags: string[]) {
    const storage = `sqlite:///${join(this.#folder, "matches.sqlite3")}`;
    const quiet = ["--log-level", "error", "--drain", "0.2", "--json", "--metrics", "127.0.0.1:0"];
    this.#arguments = ["serve", "--listen", "127.0.0.1:0", "--storage", storage, ...quiet, ...flags];
  }

  get url(): string {
    return `http://${this.#place}`;
  }

  /** Starts it; where it was before, if it was. */
  async start(): Promise<this> {
    const child = spawn(COMMAND, [...this.#arguments, "--web", this.#place], { stdio: ["ignore", "pipe", "inherit"] });
    this.#process = child;
    for await (const line of createInterface({ input: child.stdout })) {
      const { web, metrics } = JSON.parse(line) as { web: string; metrics: string };
      this.#place = new URL(web).host;
      this.#metrics = metrics;
      return this;
    }
    throw new Error("the server ended before it listened");
  }

  /** A figure of its metrics. */
  async figure(name: string): Promise<number> {
    const text = await (await fetch(`http://${this.#metrics}/metrics`)).text();
    const line = text.split("\n").find((one) => one.startsWith(`${name} `));
    return Number(line?.split(" ")[1]);
  }

  /** Ends it, as a crash or as an operator would. */
  async stop(signal: "SIGKILL" | "SIGTERM" = "SIGTERM"): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop("SIGKILL");
    rmSync(this.#folder, { recursive: true });
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
