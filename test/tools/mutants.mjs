// Faults for `mutate.mjs`: what can be wrong in a function, one change of its text each.
import { parseAst } from 'vitest/node';

const OPERATORS = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

function childrenOf(node) {
  return Object.entries(node).flatMap(([key, value]) => {
    // Types are no code.
    if (key === 'typeAnnotation' || key === 'returnType' || key === 'typeParameters' || key === 'typeArguments')
      return [];
    return (Array.isArray(value) ? value : [value]).filter((each) => each && typeof each.type === 'string');
  });
}

const isText = ({ type, value }) => type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string');

/** Another operator. Joined texts are left alone: a difference of texts is no fault that anybody makes. */
function ofOperator(node, text) {
  const { type, operator, left, right } = node;
  if (type !== 'BinaryExpression' && type !== 'LogicalExpression') return [];
  if (!Object.hasOwn(OPERATORS, operator) || (operator === '+' && (isText(left) || isText(right)))) return [];
  const start = left.end + text.slice(left.end, right.start).indexOf(operator);
  return [{ kind: 'operator', start, end: start + operator.length, by: OPERATORS[operator] }];
}

function ofConstant({ type, value, start, end }) {
  if (type !== 'Literal') return [];
  if (typeof value === 'number') return [{ kind: 'constant', start, end, by: String(value + 1) }];
  if (typeof value === 'boolean') return [{ kind: 'constant', start, end, by: String(!value) }];
  return [];
}

function ofCondition({ type, test }, text) {
  if (!test || !['IfStatement', 'ConditionalExpression', 'WhileStatement'].includes(type)) return [];
  return [{ kind: 'condition', start: test.start, end: test.end, by: `!(${text.slice(test.start, test.end)})` }];
}

/** An end before anything was done. Constructors keep their fields. */
function ofReturn(body) {
  if (body?.type !== 'BlockStatement' || body.body.length === 0) return [];
  return [{ kind: 'early return', start: body.start, end: body.start + 1, by: '{ return;' }];
}

/** The faults of each function of a source, without those of functions inside of it. */
export function mutantsOf(text) {
  const functions = [];
  const visit = (node, own, isConstructor = false) => {
    if (FUNCTIONS.has(node.type)) {
      const mine = isConstructor ? [] : ofReturn(node.body);
      functions.push(mine);
      for (const child of childrenOf(node)) visit(child, mine);
      return;
    }
    own?.push(...ofOperator(node, text), ...ofConstant(node), ...ofCondition(node, text));
    const isMaker = node.type === 'MethodDefinition' && node.kind === 'constructor';
    for (const child of childrenOf(node)) visit(child, own, isMaker);
  };
  visit(parseAst(text, { lang: 'ts' }), undefined);
  return functions.filter((mutants) => mutants.length > 0);
}
