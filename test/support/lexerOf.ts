import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGE_TABLE } from '../../src/core/repomap/facts/languageTable';
import { Lexer } from '../../src/core/repomap/facts/lexer';

const GRAMMARS = join(import.meta.dirname, '..', '..', 'grammars');

/** Comments and strings of a language that is shipped. */
export function lexisOf(id: string): Lexer {
  return new Lexer(LANGUAGE_TABLE.parse(JSON.parse(readFileSync(join(GRAMMARS, `${id}.json`), 'utf8'))).lexis);
}
