/** The kinds a language table may map a syntax node to. The order is part of the encoded facts: append only. */
export const SYMBOL_KINDS = [
  'module',
  'namespace',
  'package',
  'class',
  'interface',
  'trait',
  'struct',
  'union',
  'enum',
  'enumMember',
  'type',
  'function',
  'method',
  'constructor',
  'property',
  'field',
  'constant',
  'variable',
  'macro',
  'heading',
] as const;

export type SymbolKind = (typeof SYMBOL_KINDS)[number];
