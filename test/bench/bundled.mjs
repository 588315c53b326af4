/** Bundles a TypeScript file of this folder and gives its module, so that benches run the sources as they are. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const SHIM = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
const PLACES = "import { fileURLToPath } from 'node:url'; const __filename = fileURLToPath(import.meta.url);";

/** Calls `use` with the module; its bundle is removed afterwards. */
export async function withBundled(name, use) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const outfile = join(folder, 'bench.mjs');
    await build({
      entryPoints: [join(import.meta.dirname, name)],
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      outfile,
      logLevel: 'error',
      banner: { js: `${SHIM}\n${PLACES}\nconst __dirname = '.';` },
    });
    return await use(await import(pathToFileURL(outfile).href));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
