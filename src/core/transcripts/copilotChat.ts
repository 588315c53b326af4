/**
 * Copilot Chat as *Chat: Export Chat…* of VS Code writes it: one JSON document with `requests`, each a message and the
 * parts of its answer. Files of `chatSessions` up to VS Code 1.108 have the same shape.
 */

import type { JsonRecord } from '../text/jsonRecord';
import { namesOfCommand, pathsOfPatch } from './commandPaths';
import {
  asObject,
  instantAt,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  parseObject,
  plainUserText,
  textAt,
  textOfContent,
} from './jsonFields';
import { RecordReader, type RecordVerdict } from './recordReader';
import { RequestSplitter } from './requestSplitter';
import { handlesOfArguments, toolKinds } from './toolHandles';
import type { TranscriptAdapter } from './transcriptAdapter';
import { type CallStart, type RecordPlace, TurnBuilder } from './turnBuilder';
import type { WorkspacePaths } from './workspacePaths';

const AGENT = 'copilot-chat';

/** By the ids of VS Code's tools and by the names that the model calls them by. */
const kindOf = toolKinds({
  read: 'copilot_readFile read_file copilot_readNotebook copilot_getNotebookSummary copilot_viewImage view_image',
  edit: [
    'copilot_createFile create_file copilot_replaceString replace_string_in_file copilot_multiReplaceString',
    'multi_replace_string_in_file copilot_insertEdit insert_edit_into_file copilot_editFiles',
    'vscode_editFile_internal copilot_applyPatch apply_patch copilot_editNotebook edit_notebook_file',
  ].join(' '),
  search: [
    'copilot_findTextInFiles grep_search copilot_findFiles file_search copilot_searchCodebase semantic_search',
    'copilot_listDirectory list_dir copilot_searchWorkspaceSymbols',
  ].join(' '),
  run: 'copilot_runInTerminal run_in_terminal',
});

const PATH_KEYS = ['filePath', 'path', 'file_path', 'dirPath'];

/** The path of a URI as VS Code writes it: a string, or its parts; of a location the file's. */
function uriPath(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const uri = asObject(value);
  if (!uri) return undefined;
  const inner = uri.uri ?? uri.location ?? uri.value;
  if (inner !== undefined) return uriPath(inner);
  const scheme = textAt(uri, 'scheme');
  if (scheme !== undefined && scheme !== 'file' && scheme !== 'vscode-remote') return undefined;
  const path = textAt(uri, 'path');
  // `/c:/Users` is how VS Code writes a drive.
  return textAt(uri, 'fsPath') ?? path?.replace(/^\/(?=[a-z]:)/i, '');
}

/** A Markdown text in any of its forms. */
function markdownOf(value: unknown): string {
  return typeof value === 'string' ? value : (textAt(asObject(value), 'value') ?? '');
}

/** The file of the workspace that a URI names, as a list of none or one. */
function filesOf(paths: WorkspacePaths, value: unknown): readonly string[] {
  const path = uriPath(value);
  return path === undefined ? [] : [paths.relative(path)].filter((found) => found !== undefined);
}

/** Files that a message such as `Read [](file:///…#1-1)` links. */
function linkedFiles(paths: WorkspacePaths, message: string): readonly string[] {
  const links = message.slice(0, 4_000).matchAll(/\]\(((?:file|vscode-remote):\/\/[^)\s]+)\)/g);
  return [...links].flatMap((match) => filesOf(paths, match[1]));
}

/** A call by the name and the arguments that the model gave. */
function calledBy(name: string, given: JsonRecord, rawArguments: string, paths: WorkspacePaths): CallStart {
  const kind = kindOf(name);
  const command = kind === 'run' ? (textAt(given, 'command') ?? '') : '';
  if (kind === 'run') return { name, kind, ...namesOfCommand(command, paths), input: command };
  if (kind === 'context') return { name, kind, handles: handlesOfArguments(given), input: rawArguments };
  if (kind === 'other') return { name, kind, input: rawArguments };
  const parts = [given, ...objectsAt(given, 'replacements')];
  const named = parts.flatMap((part) => PATH_KEYS.flatMap((key) => filesOf(paths, part[key])));
  if (kind !== 'edit')
    return { name, kind, paths: named, input: kind === 'search' ? (textAt(given, 'query') ?? '') : '' };
  const patch = textAt(given, 'input') ?? '';
  const texts = parts.flatMap((part) => ['newString', 'content', 'code'].map((key) => textAt(part, key)));
  const input = [patch, ...texts].filter((text) => text !== undefined && text !== '').join('\n');
  return { name, kind, paths: [...named, ...pathsOfPatch(patch, paths)], input };
}

/** A call as the chat view keeps it. */
function invokedBy(part: JsonRecord, paths: WorkspacePaths): CallStart {
  const name = textAt(part, 'toolId') ?? 'tool';
  const kind = kindOf(name);
  const data = objectAt(part, 'toolSpecificData');
  const line = objectAt(data, 'commandLine');
  const command = textAt(line, 'toolEdited') ?? textAt(line, 'original') ?? textAt(data, 'command') ?? '';
  const details = objectAt(part, 'resultDetails');
  const given = parseObject(textAt(details, 'input') ?? '') ?? objectAt(data, 'rawInput') ?? {};
  if (kind === 'run') return { name, kind, ...namesOfCommand(command, paths), input: command };
  const call = calledBy(name, given, JSON.stringify(given), paths);
  if (kind === 'other' || kind === 'context') return call;
  const links = linkedFiles(paths, markdownOf(part.pastTenseMessage) || markdownOf(part.invocationMessage));
  return { ...call, paths: [...(call.paths ?? []), ...links] };
}

/** Ids of the chat view carry the model's id and more. */
function callId(id: string | undefined): string | undefined {
  return id?.replace(/__vscode-\d+$/, '');
}

function readRequest(sink: TurnBuilder, text: string, place: RecordPlace, fileName: string): RecordVerdict {
  const request = parseObject(text);
  if (!request) return { broken: 'the request is not JSON' };
  const { message, response } = request;
  const asked = typeof message === 'string' ? message : (textAt(asObject(message), 'text') ?? '');
  const startedAt = instantAt(request, 'timestamp');
  const id = textAt(request, 'requestId') ?? `${fileName}.${startedAt ?? place.offset}`;
  sink.begin({ place, id, userText: plainUserText(asked).text, startedAt });
  sink.model = textAt(request, 'modelId');
  const result = objectAt(request, 'result');
  const metadata = objectAt(result, 'metadata');
  readRounds(sink, metadata);
  sink.say(readParts(sink, typeof response === 'string' ? [{ value: response }] : objectsAt(request, 'response')));
  readReferences(sink, request);
  sink.tookMs(numberAt(objectAt(result, 'timings'), 'totalElapsed') ?? numberAt(request, 'elapsedMs'));
  sink.usage(numberAt(metadata, 'promptTokens'));
  sink.finish();
  return undefined;
}

/** Calls with their whole arguments, where the participant kept them. */
function readRounds(sink: TurnBuilder, metadata: JsonRecord | undefined): void {
  const results = objectAt(metadata, 'toolCallResults');
  for (const call of objectsAt(metadata, 'toolCallRounds').flatMap((round) => objectsAt(round, 'toolCalls'))) {
    const raw = textAt(call, 'arguments') ?? '';
    const id = callId(textAt(call, 'id'));
    sink.call({ ...calledBy(textAt(call, 'name') ?? 'tool', parseObject(raw) ?? {}, raw, sink.paths), id });
    const result = objectAt(results, textAt(call, 'id') ?? '');
    const output = listAt(result, 'content')
      .map((part) => textAt(asObject(part), 'value') ?? '')
      .join('\n');
    if (output !== '') sink.result(id, { output });
  }
}

/** Reads an answer's parts; gives what a person saw of it as text. */
function readParts(sink: TurnBuilder, parts: readonly JsonRecord[]): string {
  let reply = '';
  for (const part of parts) {
    const kind = textAt(part, 'kind');
    if (kind === undefined) reply += markdownOf(part);
    else if (kind === 'markdownContent') reply += markdownOf(part.content ?? part);
    else if (kind === 'inlineReference') reply += referenceText(part, sink.paths);
    else if (kind === 'toolInvocationSerialized') readInvocation(sink, part);
    else if (kind === 'textEditGroup' || kind === 'notebookEditGroup') readEdits(sink, kind, part);
  }
  return reply;
}

function referenceText(part: JsonRecord, paths: WorkspacePaths): string {
  const [path] = filesOf(paths, part.inlineReference);
  return path ?? textAt(part, 'name') ?? textAt(objectAt(part, 'inlineReference'), 'name') ?? '';
}

function readInvocation(sink: TurnBuilder, part: JsonRecord): void {
  const id = callId(textAt(part, 'toolCallId'));
  const call = invokedBy(part, sink.paths);
  const data = objectAt(part, 'toolSpecificData');
  const details = objectAt(part, 'resultDetails');
  const exitCode = numberAt(objectAt(data, 'terminalCommandState'), 'exitCode');
  const output = textAt(objectAt(data, 'terminalCommandOutput'), 'text') ?? outputText(details);
  const isError = details?.isError === true || (exitCode !== undefined && exitCode !== 0);
  const result = { isError, ...(output === '' ? {} : { output }) };
  if (sink.result(id, { ...result, paths: call.paths })) return;
  // An id of our own where there is none, so that the result finds its call.
  const ownId = id ?? 'latest';
  sink.call({ ...call, id: ownId });
  sink.result(ownId, result);
}

function readEdits(sink: TurnBuilder, name: string, part: JsonRecord): void {
  const paths = filesOf(sink.paths, part.uri);
  const edits = listAt(part, 'edits').flat();
  const input = edits.map((edit) => textAt(asObject(edit), 'text') ?? '').join('\n');
  if (paths.length > 0) sink.call({ name, kind: 'edit', paths, input });
}

/** `variableData`: what was attached to the question; `contentReferences` beyond it: what the answer was made from. */
function readReferences(sink: TurnBuilder, request: JsonRecord): void {
  const variables = objectsAt(objectAt(request, 'variableData'), 'variables');
  const given = variables.flatMap(({ value }) => filesOf(sink.paths, value));
  const used = objectsAt(request, 'contentReferences').flatMap(({ reference }) => filesOf(sink.paths, reference));
  const own = used.filter((path) => !given.includes(path));
  if (given.length > 0) sink.call({ name: 'variableData', kind: 'other', paths: given });
  if (own.length > 0) sink.call({ name: 'contentReferences', kind: 'read', paths: own });
}

function outputText(details: JsonRecord | undefined): string {
  const { output } = details ?? {};
  if (typeof output === 'string') return output;
  const parts = listAt(details, 'output').map((part) => textAt(asObject(part), 'value') ?? textOfContent([part]));
  return parts.filter((text) => text !== '').join('\n');
}

export const copilotChat: TranscriptAdapter = {
  agent: AGENT,
  isAppendOnly: false,
  isTranscript: (path, head) =>
    /\.json$/i.test(path) && /^\uFEFF?\s*\{/.test(head) && /"(?:responderUsername|requests)"\s*:/.test(head),
  folderOf: () => undefined,
  open: (context) => {
    const sink = new TurnBuilder(AGENT, context);
    // Ids of requests are unique by themselves; an export does not say its session.
    sink.session = 'export';
    const splitter = new RequestSplitter((key, value) => {
      if (key === 'sessionId') sink.session = value;
    });
    return new RecordReader(splitter, sink, (_, text, place) => readRequest(sink, text, place, context.fileName));
  },
};
