/** Places in code that a task names: frames of stack traces, messages of compilers, lines in prose and in links. */

/** One line of a trace. `depth` counts from the innermost call, 0. */
export interface Frame {
  readonly path: string;
  /** Name of the function, without class or package; empty when the trace has none. */
  readonly name: string;
  readonly line: number;
  readonly depth: number;
}

/** What a line of a task is to a trace. */
interface Match {
  readonly path: string;
  readonly name: string;
  readonly line: number;
}

const PATH = String.raw`((?:[A-Za-z]:)?[^\s:"'()<>|]+\.[A-Za-z]\w{0,5})`;
/** The innermost call comes last in Python's, first in all others. */
const PYTHON = /^\s*File "(?<path>[^"]+)", line (?<line>\d+)(?:, in (?<name>[\w.<>]+))?/u;
const PYTEST = new RegExp(`^${PATH}:(\\d+): (?:in (\\w+)|\\w+)?`, 'u');
const JAVASCRIPT = new RegExp(
  String.raw`^\s*at (?:async )?(?:new )?(?:([\w$.<>#]+)(?: \[as [\w$]+\])? )?\(?(?:file://)?${PATH}:(\d+):\d+\)?$`,
  'u',
);
const JAVA =
  /^\s*at (?:[\w.@-]*\/){0,2}(?<owner>[\w.$]+)\.(?<name>[\w$<>]+)\((?<path>[\w$]+\.(?:java|kt|scala|groovy)):(?<line>\d+)\)/u;
const CSHARP = /^\s*at (?<owner>[\w.`]+)\.(?<name>[\w`<>]+)(?:\[[^\]]*\])?\(.*\) in (?<path>.+):line (?<line>\d+)/u;
const RUBY =
  /^\s*(?:from )?(?<path>[^\s:]+\.rb):(?<line>\d+):in [`'](?:block (?:\(\d+ levels\) )?in )?(?:[\w:]+[#.])?(?<name>[\w?!=]+)'/u;
/** The function that PHP writes after the place is the one called from there: the place is in another. */
const PHP = /^\s*#\d+ (?<path>[^\s(]+\.php)\((?<line>\d+)\): /u;
const GO_PLACE = /^\s+(?<path>\/?[^\s:]+\.go):(?<line>\d+)(?: \+0x[\da-f]+)?$/u;
const GO_CALL = /^(?:[\w./-]+\.)(?:\(\*?(?:\w+)\)\.)?(\w+)(?:\.func\d+(?:\.\d+)*)?\(.*\)$/u;
const RUST_PLACE = /^\s+at (?<path>[^\s:]+\.rs):(?<line>\d+)(?::\d+)?$/u;
const RUST_CALL = /^\s*\d+:\s+(?:0x[\da-f]+ - )?(?:.*::)?(\w+)(?:::\{\{closure\}\})*(?:::h[\da-f]{16})?$/u;
const RUST_PANIC = /panicked at (?:'.*', )?(?<path>[^\s:]+\.rs):(?<line>\d+)/u;
/** `#1 0x4f in parse(char*) src/a.c:12:3` of a sanitizer, `#1  0x4f in parse (s=0x0) at src/a.c:12` of a debugger. */
const NATIVE =
  /^\s*#\d+\s+(?:0x[\da-f]+ in )?(?<name>[\w:~]+)(?:<[^()]*>)? ?(?:\(.*\) ?)?(?:at )?(?<path>[^\s:()]+\.\w{1,5}):(?<line>\d+)(?::\d+)?$/u;
/** `src/a.c:12:3: runtime error: …`, `e: src/a.kt:12:3 …`, `  --> src/a.rs:12:3`. */
const DIAGNOSTIC =
  /^\s*(?:[ew]: (?:file:\/\/)?|--> )?(?<path>[^\s:"'()<>|]+\.[A-Za-z]\w{0,5}):(?<line>\d+):\d+(?:: (?:fatal |runtime )?(?:error|warning|note)\b|[: ](?=.*\S)|$)/u;
/** `src/A.cs(12,3): error …`. */
const MSBUILD = /^\s*(?<path>[^\s:"'()<>|]+\.[A-Za-z]\w{0,5})\((?<line>\d+)(?:,\d+)?\): (?:error|warning)\b/u;
/** `line 12 of src/a.c`, `src/a.c, line 12`, `src/a.c#L12`. */
const IN_PROSE = [
  /\blines? (?<line>\d+)(?:-\d+)? (?:of|in) [`"']?(?<path>[\w./\\+-]+\.[A-Za-z]\w{0,5})\b/gu,
  /(?<path>[\w./\\+-]+\.[A-Za-z]\w{0,5})[`"']?,? (?:at |on )?line (?<line>\d+)\b/gu,
  /(?:\/(?:blob|tree|raw)\/[^\s/]+\/|(?<![\w./:+-]))(?<path>[\w./+-]+\.[A-Za-z]\w{0,5})#L(?<line>\d+)\b/gu,
];

function fromGroups(groups: Readonly<Record<string, string | undefined>> | undefined): Match | undefined {
  if (groups?.path === undefined) return undefined;
  const name = (groups.name ?? '').replace(/[<>]/gu, '');
  // The package says in which folder a Java file is.
  const folder = /^[\w$]+\.(?:java|kt|scala|groovy)$/u.test(groups.path)
    ? (groups.owner ?? '')
        .split('.')
        .slice(0, -1)
        .map((part) => `${part}/`)
        .join('')
    : '';
  const last = name.slice(name.lastIndexOf(':') + 1);
  return { path: folder + groups.path, name: last === 'init' ? '' : last, line: Number(groups.line) };
}

function fromList(
  found: RegExpExecArray | null,
  order: readonly [path: number, line: number, name: number],
): Match | undefined {
  if (!found) return undefined;
  const name = found[order[2]] ?? '';
  return { path: found[order[0]] ?? '', line: Number(found[order[1]]), name: name.slice(name.lastIndexOf('.') + 1) };
}

function matchLine(line: string, before: string): Match | undefined {
  const go = GO_PLACE.exec(line);
  if (go) return fromGroups({ ...go.groups, name: GO_CALL.exec(before.trim())?.[1] });
  const rust = RUST_PLACE.exec(line);
  if (rust) return fromGroups({ ...rust.groups, name: RUST_CALL.exec(before)?.[1] });
  return (
    fromGroups(JAVA.exec(line)?.groups) ??
    fromGroups(CSHARP.exec(line)?.groups) ??
    fromGroups(RUBY.exec(line)?.groups) ??
    fromGroups(PHP.exec(line)?.groups) ??
    fromGroups(RUST_PANIC.exec(line)?.groups) ??
    fromList(JAVASCRIPT.exec(line), [2, 3, 1]) ??
    fromGroups(NATIVE.exec(line)?.groups) ??
    fromGroups(DIAGNOSTIC.exec(line)?.groups) ??
    fromGroups(MSBUILD.exec(line)?.groups)
  );
}

/** A line of a trace with what it names. */
export interface TraceLine extends Match {
  readonly isInnermostLast: boolean;
}

/** What trace line `line` is, if it is one; `before` is the line above. */
export function traceLineOf(line: string, before: string): TraceLine | undefined {
  if (line.length > 1000) return undefined;
  const python = fromGroups(PYTHON.exec(line)?.groups) ?? fromList(PYTEST.exec(line), [1, 2, 3]);
  if (python) return { ...python, isInnermostLast: true };
  const other = matchLine(line, before.slice(0, 1000));
  return other && { ...other, isInnermostLast: false };
}

/** Traces as frames with their depth; a trace of frames without a gap of lines between is one. */
export function framesOf(traces: readonly (readonly TraceLine[])[]): readonly Frame[] {
  return traces.flatMap((trace) => {
    const ordered = trace[0]?.isInnermostLast ? [...trace].reverse() : trace;
    return ordered.map(({ path, name, line }, depth) => ({ path: path.replaceAll('\\', '/'), name, line, depth }));
  });
}

/** Places that prose and links name, each as a frame of its own. Linear: lines over 1,000 characters are passed over. */
export function placesOf(text: string): readonly Frame[] {
  const isProse = (line: string): boolean => line.length <= 1000 && /line|#L/u.test(line) && !traceLineOf(line, '');
  const lines = text.split('\n').filter(isProse);
  return lines.flatMap((line) =>
    IN_PROSE.flatMap((pattern) => [...line.matchAll(pattern)]).flatMap(({ groups }) => {
      const place = fromGroups(groups);
      return place ? [{ ...place, path: place.path.replaceAll('\\', '/'), depth: 0 }] : [];
    }),
  );
}
