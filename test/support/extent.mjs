// How much is run: `npm test` takes a sample of what is long, `npm run test:long` takes it whole.

export const IS_LONG = process.env.CONTEXT_BUDGET_LONG === '1';

/** Tests that only the long run has. */
export const onlyLong = (tests) => (IS_LONG ? tests : []);
