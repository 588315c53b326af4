/** The suites of each scenario, the same for every host; what a host cannot do is left out by `testWith`. */
import { agentTests } from './agents.test';
import { configTests } from './config.test';
import { editorSymbolTests } from './editorSymbols.test';
import { fileNoticeTests } from './fileNotices.test';
import { languageModelToolTests } from './languageModelTools.test';
import { largeTests } from './large.test';
import { liveTests } from './live.test';
import { multiRootTests } from './multiRoot.test';
import { noFolderTests } from './noFolder.test';
import { observationTests } from './observations.test';
import { panelUsageTests } from './panelUsage.test';
import { replyTests } from './reply.test';
import { repoMapTests } from './repoMap.test';
import { restrictedTests } from './restricted.test';
import { restrictedWalkTests } from './restrictedWalk.test';
import { restrictedWriteTests } from './restrictedWrites.test';
import { secretTests } from './secrets.test';
import { trustedTests } from './trusted.test';
import { usageTests } from './usage.test';
import { usageReportTests } from './usageReport.test';
import { virtualTests } from './virtual.test';

/** Defines tests. */
export type Suite = () => void;

/**
 * @param machine suites about what only a host with processes and a home folder has
 * @param isWhole false leaves out what the other scenarios of `npm test` show as well
 */
export function scenarios(machine: readonly Suite[], isWhole = true): Readonly<Record<string, readonly Suite[]>> {
  return {
    // Observations last: they write many files at once, after which plug-ins rightly rest for a while.
    trusted: [
      trustedTests,
      configTests,
      repoMapTests,
      usageTests,
      usageReportTests,
      liveTests,
      editorSymbolTests,
      replyTests,
      ...machine,
      secretTests,
      fileNoticeTests,
      panelUsageTests,
      agentTests,
      languageModelToolTests,
      observationTests,
    ],
    // The map's view is in the sample of a trusted folder, and in Restricted Mode in that of a browser's host.
    restricted: [restrictedTests, restrictedWriteTests, ...(isWhole ? [repoMapTests] : []), restrictedWalkTests],
    noFolder: [noFolderTests],
    multiRoot: [multiRootTests, virtualTests],
    large: [largeTests],
  };
}
