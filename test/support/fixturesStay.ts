import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const FIXTURES = path.resolve('test/fixtures');

/** Each fixture with a hash of its content. */
function fixtures(): ReadonlyMap<string, string> {
  const names = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(path.join(FIXTURES, name)).isFile());
  const hash = (name: string) =>
    createHash('sha1')
      .update(readFileSync(path.join(FIXTURES, name)))
      .digest('hex');
  return new Map(files.map((name) => [name, hash(name)]));
}

/** Fails the run where a test has written into the fixtures, which are tracked, instead of into a copy. */
export function setup(): () => void {
  const before = fixtures();
  return () => {
    if (process.env.UPDATE_GOLDEN) return;
    const after = fixtures();
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (name) => before.get(name) !== after.get(name),
    );
    if (changed.length > 0) throw new Error(`Tests changed test/fixtures: ${changed.join(', ')}`);
  };
}
