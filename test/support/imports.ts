import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** TypeScript files of a folder, relative to the project, `/` between names. */
export function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => `${folder}/${file.split(path.sep).join('/')}`)
    .sort();
}

/** Import specifiers of a file, types included. */
export function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g,
    ),
  ].map((match) => (match[1] ?? match[2]) as string);
}

/** The files of the project that a file imports, types included. */
export function importedFiles(file: string): string[] {
  return importsOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier)))
    .flatMap((target) => [`${target}.ts`, `${target}.tsx`].filter((name) => existsSync(name)));
}
