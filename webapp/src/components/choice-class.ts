/**
 * The classes of a row with a radio button. The selected row has the brand's tint and border. Hovering
 * tints a row in another colour, so that a hovered row can't be mistaken for the selected one.
 */
export const choiceClass =
  'not-has-checked:not-has-disabled:hover:bg-paper has-checked:bg-brand-soft has-checked:inset-ring has-checked:inset-ring-brand has-disabled:cursor-not-allowed';
