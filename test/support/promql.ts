/**
 * Which labels the result of a PromQL expression has, by the grammar of Prometheus and the labels of the metrics. It knows the part of
 * the language that deploy/monitoring uses and refuses the rest.
 */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

export interface KnownMetric {
  readonly labels: readonly string[];
}

/** @returns undefined if there is no such metric */
export type FindMetric = (name: string) => KnownMetric | undefined;

export interface LabelMatch {
  readonly metric: string;
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

export interface Checked {
  /** Labels of each series of the result. */
  readonly labels: readonly string[];
  readonly matches: readonly LabelMatch[];
  /** The number that the result is compared with; null if it is no comparison with a number. */
  readonly threshold: number | null;
}

/** Null for a number. */
type Labels = ReadonlySet<string> | null;

const OF_EVERY_SERIES = ['job', 'instance'];
const COMPARISONS = ['Gtr', 'Gte', 'Lss', 'Lte', 'Eql', 'Neq'];

/** @throws what is wrong with the expression */
export function checkPromql(text: string, findMetric: FindMetric): Checked {
  const matches: LabelMatch[] = [];
  const tree = parser.parse(text);
  tree.iterate({
    enter: (node) => {
      if (node.type.isError) {
        throw new Error(`not PromQL at ${node.from}: ${text}`);
      }
    },
  });
  const top = tree.topNode.firstChild;
  if (top === null) {
    throw new Error('no expression');
  }
  const labels = labelsOf(top);
  return { labels: [...(labels ?? [])].sort(), matches, threshold: thresholdOf(top) };

  function words(node: SyntaxNode): string {
    return text.slice(node.from, node.to);
  }

  function labelsOf(node: SyntaxNode): Labels {
    switch (node.name) {
      case 'ParenExpr':
        return labelsOf(part(node, 1));
      case 'NumberDurationLiteral':
        return null;
      case 'MatrixSelector':
        return labelsOf(part(node, 0));
      case 'VectorSelector':
        return labelsOfSelector(node);
      case 'FunctionCall':
        return labelsOfCall(node);
      case 'AggregateExpr':
        return labelsOfAggregate(node);
      case 'BinaryExpr':
        return labelsOfBinary(node);
      default:
        throw new Error(`${node.name} is not known: ${words(node)}`);
    }
  }

  function labelsOfSelector(node: SyntaxNode): Labels {
    const name = words(part(node, 0));
    const metric = findMetric(name);
    if (metric === undefined) {
      throw new Error(`there is no metric ${name}`);
    }
    const labels = new Set([...metric.labels, ...OF_EVERY_SERIES]);
    for (const matcher of node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []) {
      const [label, operator, value] = [0, 1, 2].map((place) => words(part(matcher, place))) as [
        string,
        string,
        string,
      ];
      expectIn([label], labels, name);
      matches.push({ metric: name, label, operator, value: value.slice(1, -1) });
    }
    return labels;
  }

  function labelsOfCall(node: SyntaxNode): Labels {
    const name = words(part(node, 0));
    const body = node.getChild('FunctionCallBody');
    const values = childrenOf(body).map(labelsOf);
    const labels = values.find((value) => value !== null) ?? null;
    if (name === 'histogram_quantile' && labels !== null) {
      expectIn(['le'], labels, name);
      return new Set([...labels].filter((label) => label !== 'le'));
    }
    return labels;
  }

  function labelsOfAggregate(node: SyntaxNode): Labels {
    const [inner = null] = childrenOf(node.getChild('FunctionCallBody')).map(labelsOf);
    const modifier = node.getChild('AggregateModifier');
    if (modifier === null) {
      return new Set();
    }
    if (modifier.getChild('By') === null) {
      throw new Error(`without is not known: ${words(node)}`);
    }
    const by = groupingOf(modifier);
    expectIn(by, inner ?? new Set(), words(node));
    return new Set(by);
  }

  function labelsOfBinary(node: SyntaxNode): Labels {
    const operands = childrenOf(node).filter(({ name }) => EXPRESSIONS.has(name));
    const [left, right] = operands.map(labelsOf) as [Labels, Labels];
    if (left === null || right === null) {
      return left ?? right;
    }
    const clause = node.getChild('MatchingModifierClause');
    const named = clause === null ? [] : groupingOf(clause);
    const matched = (labels: ReadonlySet<string>) =>
      [...labels].filter((label) => named.includes(label) === (clause?.getChild('On') != null)).sort();
    if (clause?.getChild('On') != null) {
      expectIn(named, left, words(node));
      expectIn(named, right, words(node));
    } else if (matched(left).join() !== matched(right).join()) {
      throw new Error(`no series of both sides match (${matched(left)} and ${matched(right)}): ${words(node)}`);
    }
    const isOneToOne = clause?.getChild('GroupLeft') == null;
    if (isOneToOne && [...left].some((label) => !matched(left).includes(label))) {
      throw new Error(`several series match one without group_left: ${words(node)}`);
    }
    return left;
  }

  function groupingOf(node: SyntaxNode): string[] {
    return (node.getChild('GroupingLabels')?.getChildren('LabelName') ?? []).map(words);
  }

  function thresholdOf(node: SyntaxNode): number | null {
    const [, right] = childrenOf(node).filter(({ name }) => EXPRESSIONS.has(name));
    const isComparison = node.name === 'BinaryExpr' && COMPARISONS.some((name) => node.getChild(name) !== null);
    return isComparison && right?.name === 'NumberDurationLiteral' ? Number(words(right)) : null;
  }
}

const EXPRESSIONS = new Set([
  ...['ParenExpr', 'NumberDurationLiteral', 'MatrixSelector', 'VectorSelector'],
  ...['FunctionCall', 'AggregateExpr', 'BinaryExpr'],
]);

function childrenOf(node: SyntaxNode | null): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node?.firstChild ?? null; child !== null; child = child.nextSibling) {
    children.push(child);
  }
  return children;
}

/** The child at this place; brackets are no nodes. */
function part(node: SyntaxNode, place: number): SyntaxNode {
  const children = childrenOf(node);
  const child = node.name === 'ParenExpr' ? children.find(({ name }) => EXPRESSIONS.has(name)) : children[place];
  if (child === undefined) {
    throw new Error(`${node.name} has no part ${place}`);
  }
  return child;
}

function expectIn(wanted: readonly string[], labels: ReadonlySet<string>, where: string): void {
  const missing = wanted.filter((label) => !labels.has(label));
  if (missing.length > 0) {
    throw new Error(`${where} has no label ${missing.join(', ')}`);
  }
}
