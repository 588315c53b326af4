// What `npm start` opens. Node's own modules only, since it runs before anything is installed.
import { cpSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './setup.mjs';

/** A copy of a folder below `test/fixtures`, whose files are tracked: the product writes logs into what it works on. */
export function ownCopy(folder) {
  const relative = path.relative(realpathSync(path.join(root, 'test/fixtures')), realpathSync(folder));
  if (relative.startsWith('..') || path.isAbsolute(relative)) return folder;
  const copy = path.join(mkdtempSync(path.join(tmpdir(), 'context-budget-')), path.basename(folder));
  cpSync(folder, copy, { recursive: true });
  return copy;
}
