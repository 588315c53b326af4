import fc from 'fast-check';
import { findNodeAtLocation, type ParseError, parse, parseTree } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { hookCommandLine, parseOwnLine } from '../../src/core/setup/hooks/hookCommandLine';
import { HOOK_EVENTS, HOOK_TARGETS, type HookTarget, hookForm } from '../../src/core/setup/hooks/hookTarget';
import { installHooks, removeHooks } from '../../src/core/setup/hooks/installHooks';
import { runs } from '../support/runs';

const RUNS = runs(125, 2_000);
const PROGRAM = { kind: 'file', path: '/opt/tools of mine/dist/cli.js' } as const;

interface Style {
  readonly eol: string;
  readonly unit: string;
  /** Picks white space, comments and trailing commas, one after the other. */
  readonly choices: readonly number[];
}

/** Writes a value as people write settings: any white space, comments anywhere, trailing commas. */
function writeSettings(value: unknown, { eol, unit, choices }: Style): string {
  let at = 0;
  const choose = <T>(options: readonly T[]): T => {
    const pick = choices.length === 0 ? 0 : (choices[at++ % choices.length] ?? 0);
    return options[pick % options.length] as T;
  };
  const gap = (): string => choose(['', '', ' ', `${eol}${unit}`, ` // note, with "x": [1,2}${eol}`, '/* , ] */', eol]);
  const write = (item: unknown): string => {
    if (typeof item !== 'object' || item === null) return JSON.stringify(item);
    const isList = Array.isArray(item);
    const parts = isList
      ? item.map((each) => write(each))
      : Object.entries(item).map(([key, each]) => `${JSON.stringify(key)}${gap()}:${gap()}${write(each)}`);
    const [open, close] = isList ? ['[', ']'] : ['{', '}'];
    const body = parts.map((part) => gap() + part + gap()).join(',');
    const trailing = parts.length > 0 ? choose(['', '', ',', `,${eol}`]) + gap() : gap();
    return open + body + trailing + close;
  };
  return (
    choose(['', '', '\uFEFF']) + choose(['', eol, `// head${eol}`]) + write(value) + choose(['', eol, `${eol}// tail`])
  );
}

const hook = fc.record({
  type: fc.constant('command'),
  command: fc.constantFrom('npm test', 'bash x.sh "a, b"', 'node hook.js'),
});
const member = fc.oneof(
  hook,
  fc.record({ matcher: fc.constantFrom('', 'Bash'), hooks: fc.array(hook, { maxLength: 2 }) }),
);
const hooks = fc.dictionary(fc.constantFrom('SessionStart', 'PreCompact', 'Stop'), fc.array(member, { maxLength: 3 }), {
  maxKeys: 3,
});
const rest = fc.dictionary(fc.constantFrom('model', 'permissions', 'a // b'), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 2,
});
const settings = fc
  .tuple(rest, fc.option(hooks, { nil: undefined }), rest)
  .map(([before, own, after]) => ({ ...before, ...(own ? { hooks: own } : {}), ...after }));
const style = fc.record({
  eol: fc.constantFrom('\n', '\r\n'),
  unit: fc.constantFrom('  ', '\t', '    '),
  choices: fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 40 }),
});
const text = fc.tuple(settings, style).map(([value, how]) => writeSettings(value, how));
const target = fc.constantFrom<HookTarget>(...HOOK_TARGETS);

function parsed(source: string): Record<string, unknown> & { hooks?: Record<string, unknown[]> } {
  const errors: ParseError[] = [];
  const value = parse(source.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  return value;
}

/** Every text of a value, at any depth. */
function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

/** Whether `part` can be had from `whole` by leaving characters out. */
function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const char of whole) if (char === part[at]) at++;
  return at === part.length;
}

describe('installing and removing hooks', () => {
  it('gives the file back byte for byte', () => {
    fc.assert(
      fc.property(text, target, (before, where) => {
        expect(removeHooks(installHooks(before, where, PROGRAM), where)).toBe(before);
      }),
      RUNS,
    );
  });

  it('adds one entry for each event behind what is there, and changes nothing else', () => {
    fc.assert(
      fc.property(text, target, (before, where) => {
        const after = installHooks(before, where, PROGRAM);
        const [old, fresh] = [parsed(before), parsed(after)];
        for (const event of hookForm(where.agent).events) {
          const added = fresh.hooks?.[event]?.at(-1);
          expect(JSON.stringify(added)).toContain(JSON.stringify(hookCommandLine(PROGRAM, event, where.agent)));
          expect(fresh.hooks?.[event]?.slice(0, -1)).toEqual(old.hooks?.[event] ?? []);
        }
        const others = ({ hooks: all = {}, ...more }: ReturnType<typeof parsed>) => {
          const ours = new Set<string>(hookForm(where.agent).events);
          return { ...more, hooks: Object.fromEntries(Object.entries(all).filter(([event]) => !ours.has(event))) };
        };
        expect(others(fresh)).toEqual(others(old));
        expect(isSubsequence(before, after)).toBe(true);
      }),
      RUNS,
    );
  });

  it('is done once', () => {
    fc.assert(
      fc.property(text, target, (before, where) => {
        const once = installHooks(before, where, PROGRAM);
        expect(installHooks(once, where, PROGRAM)).toBe(once);
      }),
      RUNS,
    );
  });

  it('leaves valid settings without entries of ours, whatever others wrote behind them', () => {
    fc.assert(
      fc.property(text, target, fc.nat(), (before, where, pick) => {
        const installed = installHooks(before, where, PROGRAM);
        // Somebody adds a value of their own to one of the lists and objects around our entries.
        const shift = installed.startsWith('\uFEFF') ? 1 : 0;
        const root = parseTree(installed.slice(shift), [], { allowTrailingComma: true });
        const paths = [[], ['hooks'], ...HOOK_EVENTS.map((event) => ['hooks', event])];
        const around = root && findNodeAtLocation(root, paths[pick % paths.length] ?? []);
        const at = shift + (around?.offset ?? 0) + 1;
        const extra = installed[at - 1] === '[' ? '"mine",' : '"mine": 1,';
        const edited = installed.slice(0, at) + extra + installed.slice(at);
        const errors: ParseError[] = [];
        parseTree(edited.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
        fc.pre(errors.length === 0);
        const left = removeHooks(edited, where);
        if (left === undefined) throw new Error("somebody else's value was deleted with the file");
        expect(texts(parsed(left)).filter(parseOwnLine)).toEqual([]);
        expect(left).toContain('"mine"');
      }),
      RUNS,
    );
  });
});
