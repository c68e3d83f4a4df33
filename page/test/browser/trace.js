/** What a trace of Chromium says of a page's main thread: its long tasks, its script frame by frame, animations that it must help with. */

const SCRIPT = new Set(["FunctionCall", "EvaluateScript", "v8.callFunction", "V8.RunMicrotasks", "RunMicrotasks", "v8.run", "FireAnimationFrame", "TimerFire", "EventDispatch", "FireIdleCallback"]);
const FRAME = "BeginMainThreadFrame";
const DRAWN = "DrawFrame";

/**
 * Times in milliseconds. `script` has an entry for each frame that was drawn: the script until the next one. `mainScript` has one for
 * each of those frames alone that the main thread took part in.
 */
export function frames(events) {
  const main = mainThread(events);
  const own = events.filter(({ pid, tid }) => pid === main.pid && tid === main.tid).sort((one, other) => one.ts - other.ts);
  const tasks = own.filter(({ name, ph, cat }) => name === "RunTask" && ph === "X" && cat.includes("devtools.timeline"));
  const begins = own.filter(({ name }) => name === FRAME).map(({ ts }) => ts);
  const drawn = events.filter(({ name, pid }) => name === DRAWN && pid === main.pid).map(({ ts }) => ts).sort((one, other) => one - other);
  const spent = spans(own.filter(({ name, ph }) => ph === "X" && SCRIPT.has(name)));
  const within = (times) => times.map((begin, index) => shared(spent, begin, times[index + 1] ?? Infinity));
  const unsupported = events.flatMap(({ name, args }) => (name === "Animation" ? (args?.data?.unsupportedProperties ?? []) : []));
  const failed = events.filter(({ name, args }) => name === "Animation" && (args?.data?.compositeFailed ?? 0) !== 0).map(({ args }) => args.data.compositeFailed);
  return {
    tasks: tasks.length,
    longest: Math.max(0, ...tasks.map(({ dur = 0 }) => dur / 1000)),
    made: madeOf(longestOf(tasks), own),
    script: within(drawn),
    mainScript: within(begins),
    unsupported: [...new Set(unsupported)],
    failed,
  };
}

function longestOf(tasks) {
  return tasks.reduce((longest, task) => ((task.dur ?? 0) > (longest?.dur ?? 0) ? task : longest), undefined);
}

/** What took longest in a task: names and milliseconds. */
function madeOf(task, own) {
  if (task === undefined) return [];
  const inside = own.filter(({ ts, dur = 0, ph }) => ph === "X" && dur > 1000 && ts >= task.ts && ts + dur <= task.ts + task.dur && dur < task.dur);
  return inside.sort((one, other) => other.dur - one.dur).slice(0, 6).map(({ name, dur }) => `${name} ${(dur / 1000).toFixed(0)}`);
}

/** The main thread that ran the most script: that of the page. */
function mainThread(events) {
  const threads = events.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain");
  const busy = ({ pid, tid }) => events.filter((event) => event.pid === pid && event.tid === tid && event.name === FRAME).length;
  const [best] = threads.map((thread) => ({ thread, count: busy(thread) })).sort((one, other) => other.count - one.count);
  if (best === undefined || best.count === 0) throw new Error("the trace has no frame of a page");
  return best.thread;
}

/** Stretches of time without those that lie in others. */
function spans(events) {
  const result = [];
  for (const { ts, dur = 0 } of events) {
    const last = result.at(-1);
    if (last !== undefined && ts < last.end) last.end = Math.max(last.end, ts + dur);
    else result.push({ begin: ts, end: ts + dur });
  }
  return result;
}

function shared(stretches, begin, end) {
  const inside = stretches.map((one) => Math.min(one.end, end) - Math.max(one.begin, begin)).filter((time) => time > 0);
  return inside.reduce((total, time) => total + time, 0) / 1000;
}
