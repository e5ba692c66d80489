package emails

import (
	"cmp"
	"strings"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// formatAmounts formats the figure, the rows and the instructions, which are one block, and removes line breaks. The last row
// and the instructions have the currency code. taxName is the name of the tax of Row.Tax.
func (c *content) formatAmounts(taxName string) {
	amounts := []money.Amount{c.Figure.Amount}
	for _, row := range c.AmountRows {
		amounts = append(amounts, row.Amount, row.Tax)
	}
	for _, line := range c.Instructions {
		amounts = append(amounts, line.Amount)
	}
	format := money.Formatter(amounts...)
	if a := c.Figure.Amount; a != (money.Amount{}) {
		c.Figure.AmountText, c.Figure.Currency = format(a), a.Currency().Code
	}
	c.Figure.Note = oneLine(c.Figure.Note)
	var rows []Row
	for i, row := range c.AmountRows {
		row.Label, row.Detail, row.AmountText = oneLine(row.Label), oneLine(row.Detail), format(row.Amount)
		if row.Tax.Minor() > 0 {
			row.Detail = "includes " + format(row.Tax) + " " + cmp.Or(taxName, "tax")
		}
		if i == len(c.AmountRows)-1 {
			row.AmountText = strings.TrimSpace(row.AmountText + " " + row.Amount.Currency().Code)
		}
		rows = append(rows, row)
	}
	c.AmountRows = rows
	c.Instructions = formatInstructions(c.Instructions, format)
}

// formatInstructions returns the instructions with their amounts as text and without line breaks.
func formatInstructions(instructions []billing.Instruction, format func(money.Amount) string) []billing.Instruction {
	var lines []billing.Instruction
	for _, line := range instructions {
		if line.Amount != (money.Amount{}) {
			line.Value = format(line.Amount) + " " + line.Amount.Currency().Code
		}
		lines = append(lines, billing.Instruction{Label: oneLine(line.Label), Value: oneLine(line.Value)})
	}
	return lines
}
