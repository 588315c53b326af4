/** Words of the core, as the host sends them. */
export const phrase = (message, ...args) => ({ message, args });
