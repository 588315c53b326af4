/**
 * Copilot Chat as *Chat: Export Chat…* of VS Code writes it: one JSON document with `requests`, each a message and the
 * parts of its answer. Files of `chatSessions` up to VS Code 1.108 have the same shape.
 */

import type { JsonRecord } from '../text/jsonRecord';
import { namesOfCommand, pathsOfPatch } from './commandPaths';
import {
  asObject,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  objectsOf,
  parseObject,
  plainUserText,
  textAt,
  textOfContent,
} from './jsonFields';
import { type RecordParser, RecordReader, type RecordVerdict } from './recordReader';
import { RequestSplitter } from './requestSplitter';
import { handlesOfArguments, toolKinds } from './toolHandles';
import type { TranscriptAdapter, TranscriptContext } from './transcriptAdapter';
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

/** Reads one request. */
class RequestFiles {
  readonly #paths: WorkspacePaths;

  constructor(paths: WorkspacePaths) {
    this.#paths = paths;
  }

  of(value: unknown): readonly string[] {
    const path = uriPath(value);
    const found = path === undefined ? undefined : this.#paths.relative(path);
    return found === undefined ? [] : [found];
  }

  /** Files that a message such as `Read [](file:///…#1-1)` links. */
  ofLinks(message: string): readonly string[] {
    return [...message.slice(0, 4_000).matchAll(/\]\(((?:file|vscode-remote):\/\/[^)\s]+)\)/g)].flatMap((match) =>
      this.of(match[1]),
    );
  }

  /** A call by the name and the arguments that the model gave. */
  called(name: string, given: JsonRecord, rawArguments: string): CallStart {
    const kind = kindOf(name);
    const command = kind === 'run' ? (textAt(given, 'command') ?? '') : '';
    if (kind === 'run') return { name, kind, ...namesOfCommand(command, this.#paths), input: command };
    if (kind === 'context') return { name, kind, handles: handlesOfArguments(given), input: rawArguments };
    if (kind === 'other') return { name, kind, input: rawArguments };
    const replaced = objectsAt(given, 'replacements');
    const named = [given, ...replaced].flatMap((each) => PATH_KEYS.flatMap((key) => this.of(each[key])));
    const patch = textAt(given, 'input') ?? '';
    const patched = kind === 'edit' ? pathsOfPatch(patch, this.#paths) : [];
    const texts = [given, ...replaced].flatMap((each) => [
      textAt(each, 'newString'),
      textAt(each, 'content'),
      textAt(each, 'code'),
    ]);
    const edited = [patch, ...texts].filter((text) => text !== undefined && text !== '').join('\n');
    const input = kind === 'edit' ? edited : kind === 'search' ? (textAt(given, 'query') ?? '') : '';
    return { name, kind, paths: [...named, ...patched], input };
  }

  /** A call as the chat view keeps it. */
  invoked(part: JsonRecord): CallStart {
    const name = textAt(part, 'toolId') ?? 'tool';
    const kind = kindOf(name);
    const data = objectAt(part, 'toolSpecificData');
    const line = objectAt(data, 'commandLine');
    const command = textAt(line, 'toolEdited') ?? textAt(line, 'original') ?? textAt(data, 'command') ?? '';
    const details = objectAt(part, 'resultDetails');
    const given = parseObject(textAt(details, 'input') ?? '') ?? objectAt(data, 'rawInput') ?? {};
    if (kind === 'run') return { name, kind, ...namesOfCommand(command, this.#paths), input: command };
    const links = this.ofLinks(markdownOf(part.pastTenseMessage) || markdownOf(part.invocationMessage));
    const { paths = [], ...call } = this.called(name, given, JSON.stringify(given));
    return { ...call, paths: kind === 'other' || kind === 'context' ? [] : [...paths, ...links] };
  }
}

/** Ids of the chat view carry the model's id and more. */
function callId(id: string | undefined): string | undefined {
  return id?.replace(/__vscode-\d+$/, '');
}

class CopilotChatParser implements RecordParser {
  readonly sink: TurnBuilder;
  readonly #files: RequestFiles;
  readonly #fileName: string;

  constructor(context: TranscriptContext) {
    this.sink = new TurnBuilder(AGENT, context);
    // Ids of requests are unique by themselves; an export does not say its session.
    this.sink.session = 'export';
    this.#fileName = context.fileName;
    this.#files = new RequestFiles(context.paths);
  }

  read(text: string, place: RecordPlace): RecordVerdict {
    const request = parseObject(text);
    if (!request) return { broken: 'the request is not JSON' };
    const { message } = request;
    const asked = typeof message === 'string' ? message : (textAt(asObject(message), 'text') ?? '');
    const said = plainUserText(asked);
    const startedAt = numberAt(request, 'timestamp');
    const id = textAt(request, 'requestId') ?? `${this.#fileName}.${startedAt ?? place.offset}`;
    this.sink.begin({ place, id, userText: said.text, startedAt });
    const result = objectAt(request, 'result');
    this.#readRounds(objectAt(result, 'metadata'));
    const { response } = request;
    const parts = typeof response === 'string' ? [{ value: response }] : objectsOf(listAt(request, 'response'));
    this.sink.say(this.#readParts(parts));
    this.#readReferences(request);
    const took = numberAt(objectAt(result, 'timings'), 'totalElapsed') ?? numberAt(request, 'elapsedMs');
    if (took !== undefined) this.sink.tookMs(took);
    this.sink.usage(numberAt(objectAt(result, 'metadata'), 'promptTokens') ?? 0);
    this.sink.finish();
    return undefined;
  }

  /** Calls with their whole arguments, where the participant kept them. */
  #readRounds(metadata: JsonRecord | undefined): void {
    const results = objectAt(metadata, 'toolCallResults');
    for (const round of objectsAt(metadata, 'toolCallRounds')) {
      for (const call of objectsAt(round, 'toolCalls')) {
        const raw = textAt(call, 'arguments') ?? '';
        const id = callId(textAt(call, 'id'));
        this.sink.call({ ...this.#files.called(textAt(call, 'name') ?? 'tool', parseObject(raw) ?? {}, raw), id });
        const result = objectAt(results, textAt(call, 'id') ?? '');
        const output = listAt(result, 'content')
          .map((part) => textAt(asObject(part), 'value') ?? '')
          .join('\n');
        if (id !== undefined && output !== '') this.sink.result(id, { output });
      }
    }
  }

  /** Reads an answer's parts; gives what a person saw of it as text. */
  #readParts(parts: readonly JsonRecord[]): string {
    let reply = '';
    for (const part of parts) {
      const kind = textAt(part, 'kind');
      if (kind === undefined) reply += markdownOf(part);
      else if (kind === 'markdownContent') reply += markdownOf(part.content ?? part);
      else if (kind === 'inlineReference') reply += this.#referenceText(part);
      else if (kind === 'toolInvocationSerialized') this.#readInvocation(part);
      else if (kind === 'textEditGroup' || kind === 'notebookEditGroup') this.#readEdits(kind, part);
    }
    return reply;
  }

  #referenceText(part: JsonRecord): string {
    const [path] = this.#files.of(part.inlineReference);
    return path ?? textAt(part, 'name') ?? textAt(objectAt(part, 'inlineReference'), 'name') ?? '';
  }

  #readInvocation(part: JsonRecord): void {
    const id = callId(textAt(part, 'toolCallId'));
    const call = this.#files.invoked(part);
    const data = objectAt(part, 'toolSpecificData');
    const details = objectAt(part, 'resultDetails');
    const exitCode = numberAt(objectAt(data, 'terminalCommandState'), 'exitCode');
    const output = textAt(objectAt(data, 'terminalCommandOutput'), 'text') ?? outputText(details);
    const isError = details?.isError === true || (exitCode !== undefined && exitCode !== 0);
    const result = { isError, ...(output === '' ? {} : { output }) };
    if (id !== undefined && this.sink.result(id, { ...result, paths: call.paths })) return;
    // An id of our own where there is none, so that the result finds its call.
    const ownId = id ?? 'latest';
    this.sink.call({ ...call, id: ownId });
    this.sink.result(ownId, result);
  }

  #readEdits(name: string, part: JsonRecord): void {
    const paths = this.#files.of(part.uri);
    const texts = listAt(part, 'edits')
      .flat()
      .map((edit) => textAt(asObject(edit), 'text') ?? '');
    if (paths.length > 0) this.sink.call({ name, kind: 'edit', paths, input: texts.join('\n') });
  }

  /** `variableData`: what was attached to the question; `contentReferences` beyond it: what the answer was made from. */
  #readReferences(request: JsonRecord): void {
    const variables = objectsAt(objectAt(request, 'variableData'), 'variables');
    const given = variables.flatMap((variable) => this.#files.of(variable.value));
    const used = objectsAt(request, 'contentReferences').flatMap(({ reference }) => this.#files.of(reference));
    const own = used.filter((path) => !given.includes(path));
    if (given.length > 0) this.sink.call({ name: 'variableData', kind: 'other', paths: given });
    if (own.length > 0) this.sink.call({ name: 'contentReferences', kind: 'read', paths: own });
  }
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
    const parser = new CopilotChatParser(context);
    const splitter = new RequestSplitter((key, value) => {
      if (key === 'sessionId') parser.sink.session = value;
    });
    return new RecordReader(splitter, parser);
  },
};
