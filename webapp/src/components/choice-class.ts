/**
 * The classes of a row with a radio button. The selected row has the brand's tint and border. A pointer that can hover
 * tints a row differently, so that hovering never looks like a selection.
 */
export const choiceClass =
  'not-has-checked:hover:bg-paper has-checked:bg-brand-soft has-checked:inset-ring has-checked:inset-ring-brand has-disabled:cursor-not-allowed has-disabled:bg-transparent';
