import ts from 'typescript';

/**
 * Returns the JSX in the files that breaks when a browser or an extension translates the page. A translation replaces each
 * text node by an element. React then updates the detached text node, so that the old text stays, or throws a NotFoundError
 * when it removes the text node or inserts an element before it. Text that is the only child of an HTML element is safe,
 * because React sets it as `textContent`. Therefore:
 *
 * - Text that can change is the only child of an HTML element.
 * - Fixed text is beside fixed text and elements that are always there, and not within a fragment or a component
 *   with other children, which may be rendered beside anything or removed as a whole.
 * - A component doesn't return text.
 */
export function findBareText(program: ts.Program, fileNames: string[]): string[] {
  const checker = program.getTypeChecker();
  return fileNames.flatMap((fileName) => {
    const file = program.getSourceFile(fileName);
    if (!file) throw new Error(`${fileName} is not part of the program`);
    const found: string[] = [];
    const visit = (node: ts.Node) => {
      const reason = isComponent(node)
        ? reasonAgainstReturn(node, checker)
        : isParent(node) && reasonAgainstChildren(node, checker);
      if (reason) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${fileName}:${line + 1} ${reason}: ${excerpt(node)}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  });
}

type Parent = ts.JsxElement | ts.JsxFragment;

const isParent = (node: ts.Node): node is Parent => ts.isJsxElement(node) || ts.isJsxFragment(node);

/** Returns why the children can't be beside each other in the parent. */
function reasonAgainstChildren(parent: Parent, checker: ts.TypeChecker): string | undefined {
  const children = parent.children.filter(isRendered);
  const changing = children.filter((child) => isChangingText(child, checker));
  if (!changing.length && !children.some(isFixedText)) return undefined;
  if (ts.isJsxFragment(parent)) return 'text in a fragment';
  if (children.length === 1) {
    const [{ expression } = {}] = children.filter(ts.isJsxExpression);
    const isList = expression && checker.isArrayLikeType(checker.getTypeAtLocation(expression));
    return changing.length && isList ? 'a list of texts' : undefined;
  }
  if (!isHtml(parent.openingElement)) return 'text beside other children of a component';
  if (changing.length) return 'text that can change, beside other children';
  if (!children.every((child) => isFixedText(child) || isFixedElement(child)))
    return 'text beside something that can appear, disappear or change its type';
  return undefined;
}

/** Whether the child is not only a line break or a comment. */
const isRendered = (child: ts.JsxChild) =>
  ts.isJsxText(child) ? !child.containsOnlyTriviaWhiteSpaces : !isEmptyExpression(child);

const isEmptyExpression = (child: ts.JsxChild) => ts.isJsxExpression(child) && !child.expression;

const isFixedText = (child: ts.JsxChild) =>
  ts.isJsxText(child) ||
  (ts.isJsxExpression(child) && !!child.expression && ts.isStringLiteralLike(child.expression));

const isChangingText = (child: ts.JsxChild, checker: ts.TypeChecker) =>
  ts.isJsxExpression(child) &&
  !!child.expression &&
  !isFixedText(child) &&
  canBeText(checker.getTypeAtLocation(child.expression), checker);

/** Whether the child is always the same single element: an HTML element without a key, a link or an icon. */
function isFixedElement(child: ts.JsxChild): boolean {
  if (!ts.isJsxElement(child) && !ts.isJsxSelfClosingElement(child)) return false;
  const element = ts.isJsxElement(child) ? child.openingElement : child;
  const hasKey = element.attributes.properties.some(({ name }) => name?.getText() === 'key');
  return !hasKey && (isHtml(element) || /(Link|Icon)$/.test(element.tagName.getText()));
}

const isHtml = ({ tagName }: ts.JsxOpeningLikeElement) => /^[a-z]/.test(tagName.getText());

/** Whether a value of the type can be rendered as a text node. */
function canBeText(type: ts.Type, checker: ts.TypeChecker, seen = new Set<ts.Type>()): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  if (type.isUnion()) return type.types.some((member) => canBeText(member, checker, seen));
  if (type.isStringLiteral()) return type.value !== '';
  if (checker.isArrayLikeType(type))
    return checker
      .getTypeArguments(type as ts.TypeReference)
      .some((member) => canBeText(member, checker, seen));
  const { Any, BigIntLike, NumberLike, StringLike, Unknown } = ts.TypeFlags;
  return (type.flags & (Any | BigIntLike | NumberLike | StringLike | Unknown)) !== 0;
}

/** Whether the node is a function with the name of a component. */
function isComponent(node: ts.Node): node is ts.FunctionDeclaration | ts.ArrowFunction {
  if (ts.isFunctionDeclaration(node)) return /^[A-Z]/.test(node.name?.text ?? '');
  return (
    ts.isArrowFunction(node) &&
    ts.isVariableDeclaration(node.parent) &&
    /^[A-Z]/.test(node.parent.name.getText())
  );
}

function reasonAgainstReturn(component: ts.SignatureDeclaration, checker: ts.TypeChecker) {
  const signature = checker.getSignatureFromDeclaration(component);
  return signature && canBeText(signature.getReturnType(), checker)
    ? 'a component that returns text'
    : undefined;
}

const excerpt = (node: ts.Node) => node.getText().replace(/\s+/g, ' ').slice(0, 100);
