import path from 'node:path';
import { type GitRepository, MAX_GIT_LINE_BYTES, readBytesInside, readInside, statItself } from './gitRepository';

/** Refs of half a million branches. */
const MAX_PACKED_REFS_BYTES = 64 * 1024 * 1024;

/** As git follows them. */
const MAX_SYMBOLIC_REFS = 5;

const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Where a repository stands, as the text of two files of a git directory. */
export interface GitHead {
  readonly head: string;
  /** The ref that HEAD names, the only one there is; empty for a branch without commits. */
  readonly packedRefs: string;
}

/** `undefined` when HEAD or what it names is no plain text of git's. */
export async function readHead({ own, shared }: GitRepository): Promise<GitHead | undefined> {
  const text = (await readInside(own, 'HEAD', MAX_GIT_LINE_BYTES))?.trimEnd();
  if (text === undefined) return undefined;
  if (HASH.test(text)) return { head: `${text}\n`, packedRefs: '' };
  let name = refOf(text);
  for (let steps = 0; name !== undefined && steps < MAX_SYMBOLIC_REFS; steps++) {
    const value: string | undefined = await readRef(shared, name);
    if (value === undefined) return undefined;
    const next = refOf(value);
    if (next === undefined) {
      if (value !== '' && !HASH.test(value)) return undefined;
      return { head: `ref: ${name}\n`, packedRefs: value === '' ? '' : `${value} ${name}\n` };
    }
    name = next;
  }
  return undefined;
}

/** The ref that a symbolic one names (git-check-ref-format(1)); `undefined` for anything else. */
function refOf(text: string): string | undefined {
  const name = /^ref:\s*(refs\/.+)$/.exec(text)?.[1];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what git forbids
  const isName = name !== undefined && !/[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[/.]$/.test(name);
  return isName ? name : undefined;
}

/** A ref's value, `''` when there is no such ref; `undefined` when it cannot be read without following a link. */
async function readRef(shared: string, name: string): Promise<string | undefined> {
  const loose = await statItself(path.join(shared, ...name.split('/')));
  if (loose && !loose.isDirectory()) return (await readInside(shared, name, MAX_GIT_LINE_BYTES))?.trimEnd();
  if (!(await statItself(path.join(shared, 'packed-refs')))) return '';
  const packed = await readBytesInside(shared, 'packed-refs', MAX_PACKED_REFS_BYTES);
  return packed && packedValue(Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength), name);
}

function packedValue(packed: Buffer, name: string): string {
  const end = Buffer.from(` ${name}\n`);
  for (let at = packed.indexOf(end); at >= 0; at = packed.indexOf(end, at + 1)) {
    const start = packed.lastIndexOf(0x0a, at) + 1;
    const value = packed.toString('latin1', start, at);
    if (HASH.test(value)) return value;
  }
  return '';
}
