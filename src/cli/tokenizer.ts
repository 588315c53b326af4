import type { TokenizerName } from '../core/ports/ports';

/** The tokenizer of every count of the command line. */
export const CLI_TOKENIZER: TokenizerName = 'o200k_base';
