/** What the list of tools costs an agent that is given all of it, in o200k_base tokens of its JSON; a test counts it. */
export const TOOL_LIST_TOKENS = 872;
