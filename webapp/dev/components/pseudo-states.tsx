import type { ReactNode } from 'react';

/** The pseudo-classes with the name of their state and the elements that can have it. */
const pseudoClasses = [
  [':hover', 'hover', 'a, button, input, label, select, summary, textarea'],
  [':focus-visible', 'focus', 'a, button, input, select, summary, textarea'],
] as const;

/**
 * Extends the app's rules for hovered and focused controls to the controls within `pseudoStates`.
 */
export function extendPseudoClasses(rules: CSSRuleList): void {
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule) {
      for (const [pseudoClass, state, elements] of pseudoClasses) {
        rule.selectorText = rule.selectorText.replaceAll(
          pseudoClass,
          `:is(${pseudoClass}, [data-state="${state}"] :where(${elements}))`,
        );
      }
    }
    if ('cssRules' in rule) extendPseudoClasses(rule.cssRules as CSSRuleList);
  }
}

/** Returns the states of hovered and of focused controls for a section. */
export const pseudoStates = (content: ReactNode): Record<string, ReactNode> => ({
  hovered: <div data-state="hover">{content}</div>,
  'with the focus': <div data-state="focus">{content}</div>,
});
