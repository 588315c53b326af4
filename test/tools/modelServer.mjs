// A model server on loopback that answers as four services do (Anthropic Messages, OpenAI Responses
// and Chat Completions, Gemini), with what a plan says, and keeps every request that it gets.
// Each request becomes `FOLDER/NNN-SERVICE.json`: `{ method, url, headers, body }`, without any header that can hold a
// key. A plan is a list of steps, `{ "tool": "repo_map", "args": {…} }` or `{ "text": "done" }`: the step
// with the number of tool results in the request is what is answered; past the end it is "done".
// A tool is meant by the end of its name, since each client puts another prefix before it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const KEY_HEADERS = /^(authorization|x-api-key|x-goog-api-key|cookie)$/u;
const USAGE = 100;

/** The tools of a request, as `{ name, namespace?, service form }`, whatever the service. */
export function toolsOf(body) {
  return (body.tools ?? []).flatMap((tool) => {
    if (tool.type === 'namespace') {
      return tool.tools.map((inner) => ({ name: inner.name, namespace: tool.name, tool: inner }));
    }
    const declared = tool.functionDeclarations ?? [tool.function ?? tool];
    return declared.map((each) => ({ name: each.name ?? each.type, tool: each }));
  });
}

/** The results of tools in a request, oldest first, each as the service's own value. */
export function resultsOf(body) {
  if (Array.isArray(body.contents)) {
    return body.contents.flatMap(({ parts = [] }) =>
      parts.flatMap((part) => (part.functionResponse ? [part.functionResponse.response] : [])),
    );
  }
  if (Array.isArray(body.input)) {
    return body.input.flatMap((item) => (/_call_output$/u.test(item.type ?? '') ? [item.output] : []));
  }
  return (body.messages ?? []).flatMap((message) => {
    if (message.role === 'tool') return [message.content];
    if (!Array.isArray(message.content)) return [];
    return message.content.flatMap((b) => (b.type === 'tool_result' ? [b.content] : []));
  });
}

function answerOf(plan, body) {
  const tools = toolsOf(body);
  const step = tools.length === 0 ? undefined : plan[resultsOf(body).length];
  if (step === undefined) return { text: 'done' };
  if (step.tool === undefined) return step;
  const found = tools.find(({ name }) => name === step.tool || name.endsWith(step.tool));
  if (found === undefined) return { text: `no tool ${step.tool}` };
  return { call: { name: found.name, namespace: found.namespace, args: step.args ?? {} } };
}

const events = (list) =>
  list.map(([name, data]) => `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`).join('');

function anthropic(body, answer, number) {
  const block = answer.call
    ? { type: 'tool_use', id: `toolu_${number}`, name: answer.call.name, input: answer.call.args }
    : { type: 'text', text: answer.text };
  const stop_reason = answer.call ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: USAGE, output_tokens: 1 };
  const message = { id: `msg_${number}`, type: 'message', role: 'assistant', model: body.model };
  if (!body.stream) return { json: { ...message, content: [block], stop_reason, usage } };
  const [empty, delta] = answer.call
    ? [
        { ...block, input: {} },
        { type: 'input_json_delta', partial_json: JSON.stringify(answer.call.args) },
      ]
    : [
        { type: 'text', text: '' },
        { type: 'text_delta', text: answer.text },
      ];
  const started = { ...message, content: [], stop_reason: null, stop_sequence: null, usage };
  const all = [
    { type: 'message_start', message: started },
    { type: 'content_block_start', index: 0, content_block: empty },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  return { sse: events(all.map((each) => [each.type, each])) };
}

function responses(body, answer, number) {
  const item = answer.call
    ? {
        type: 'function_call',
        id: `fc_${number}`,
        call_id: `call_${number}`,
        status: 'completed',
        name: answer.call.name,
        ...(answer.call.namespace ? { namespace: answer.call.namespace } : {}),
        arguments: JSON.stringify(answer.call.args),
      }
    : {
        type: 'message',
        id: `msg_${number}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: answer.text, annotations: [] }],
      };
  const response = { id: `resp_${number}`, object: 'response', model: body.model, output: [] };
  const usage = {
    input_tokens: USAGE,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: USAGE + 1,
  };
  const done = { ...response, status: 'completed', output: [item], usage };
  if (!body.stream) return { json: done };
  const added = answer.call ? { ...item, arguments: '' } : { ...item, content: [] };
  const id = { item_id: item.id, output_index: 0 };
  const middle = answer.call
    ? [
        { type: 'response.function_call_arguments.delta', ...id, delta: item.arguments },
        { type: 'response.function_call_arguments.done', ...id, arguments: item.arguments },
      ]
    : [
        {
          type: 'response.content_part.added',
          ...id,
          content_index: 0,
          part: { type: 'output_text', text: '', annotations: [] },
        },
        { type: 'response.output_text.delta', ...id, content_index: 0, delta: answer.text },
        { type: 'response.output_text.done', ...id, content_index: 0, text: answer.text },
        { type: 'response.content_part.done', ...id, content_index: 0, part: item.content[0] },
      ];
  const all = [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    { type: 'response.output_item.added', output_index: 0, item: added },
    ...middle,
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: done },
  ].map((each, sequence_number) => ({ ...each, sequence_number }));
  return { sse: events(all.map((each) => [each.type, each])) };
}

function chat(body, answer, number) {
  const call = answer.call && {
    id: `call_${number}`,
    type: 'function',
    function: { name: answer.call.name, arguments: JSON.stringify(answer.call.args) },
  };
  const message = { role: 'assistant', content: call ? null : answer.text, ...(call ? { tool_calls: [call] } : {}) };
  const finish_reason = call ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: USAGE, completion_tokens: 1, total_tokens: USAGE + 1 };
  const base = { id: `chat_${number}`, created: 0, model: body.model };
  if (!body.stream) {
    return { json: { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage } };
  }
  const chunk = (choices, more = {}) => [undefined, { ...base, object: 'chat.completion.chunk', choices, ...more }];
  const delta = call ? { role: 'assistant', tool_calls: [{ index: 0, ...call }] } : message;
  const list = [
    chunk([{ index: 0, delta, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason }]),
    chunk([], { usage }),
  ];
  return { sse: `${events(list)}data: [DONE]\n\n` };
}

function gemini(_body, answer, _number, url) {
  const part = answer.call
    ? { functionCall: { name: answer.call.name, args: answer.call.args } }
    : { text: answer.text };
  const json = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: USAGE, candidatesTokenCount: 1, totalTokenCount: USAGE + 1 },
  };
  return url.includes('streamGenerateContent') ? { sse: events([[undefined, json]]) } : { json };
}

const SERVICES = [
  ['count', /count_?tokens/iu, () => ({ json: { input_tokens: USAGE, totalTokens: USAGE } })],
  ['anthropic', /\/messages(\?|$)/u, anthropic],
  ['responses', /\/responses(\?|$)/u, responses],
  ['chat', /\/chat\/completions(\?|$)/u, chat],
  ['gemini', /:(stream)?generateContent/iu, gemini],
  ['other', /./u, () => ({ json: { object: 'list', data: [] } })],
];

/** Serves on loopback: `{ url, close }`. Requests land in `folder`; `plan` as in the head of this file. */
export async function serveModel(folder, plan = [], port = 0) {
  mkdirSync(folder, { recursive: true });
  let count = 0;
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    let body = {};
    try {
      body = text === '' ? {} : JSON.parse(text);
    } catch {
      body = { text };
    }
    const [service, , answer] = SERVICES.find(([, pattern]) => pattern.test(request.url));
    const number = ++count;
    const headers = Object.entries(request.headers).filter(([name]) => !KEY_HEADERS.test(name));
    const kept = { method: request.method, url: request.url, headers: Object.fromEntries(headers), body };
    const file = `${String(number).padStart(3, '0')}-${service}.json`;
    writeFileSync(join(folder, file), `${JSON.stringify(kept, null, 2)}\n`);
    const { json, sse } = answer(body, answerOf(plan, body), number, request.url);
    response.writeHead(200, { 'content-type': sse === undefined ? 'application/json' : 'text/event-stream' });
    response.end(sse ?? JSON.stringify(json));
  });
  await new Promise((listening) => server.listen(port, '127.0.0.1', listening));
  const close = () =>
    new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}
