/**
 * Where a folder keeps its relay context, and when its log is due: 8,000 tokens are a little more than the default
 * profile's whole payload (7,500).
 */
export const RELAY_DEFAULTS = {
  path: '.context-budget/relay.json',
  ledger: '.context-budget/ledger.json',
  maxTokens: 8000,
} as const;
