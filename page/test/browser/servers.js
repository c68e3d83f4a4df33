/** A server in a process of its own, to be killed. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Starts a server that keeps its matches in a folder; at a port, or at any. */
export async function served(python, folder, port = 0) {
  const flags = ["--listen", "127.0.0.1:0", "--web", `127.0.0.1:${port}`, "--storage", `sqlite:///${folder}/matches.sqlite`, "--think", "0.02", "--json"];
  const child = spawn(python, ["-m", "machiavel.server.cli", "serve", ...flags, "--log-level", "error"], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const { type, web } = JSON.parse(line);
    if (type === "listening") return { child, address: web, port: Number(new URL(web).port) };
  }
  throw new Error(`the server ended with ${child.exitCode}`);
}

/** Ends it as a power cut would. */
export async function killed({ child }) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}
