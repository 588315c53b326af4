// Loaded before the product: logs come as from a slow network drive. What is asked stays what it is.
const fs = require('node:fs');

/** Longer than what the product waits for observations before it shows what it has. */
const DELAY_MS = 600;
const { open } = fs.promises;

fs.promises.open = async (file, ...rest) => {
  if (/\.jsonl$/.test(String(file))) await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
  return open(file, ...rest);
};
