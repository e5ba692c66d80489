package sqlstorage

import (
	"strconv"
	"time"

	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	emails = tableOf[emailRow]("letters")
	// An email's id is the database's: it counts on, so that emails of one instant keep their order.
	insertEmail = tableOf[emailColumns]("letters").inserts()
)

// emailRow is an email in the outbox.
type emailRow struct {
	ID int64 `db:"id"`
	emailColumns
}

type emailColumns struct {
	Recipient string  `db:"recipient"`
	Subject   string  `db:"subject"`
	Text      string  `db:"text"`
	HTML      string  `db:"html"`
	Attempts  int     `db:"attempts"`
	CreatedAt instant `db:"created_at"`
	DueAt     instant `db:"due_at"`
	UserID    text    `db:"user_id"`
}

func emailColumnsOf(m mail.Message, userID string, now time.Time) emailColumns {
	return emailColumns{
		Recipient: m.To, Subject: m.Subject, Text: m.Text, HTML: m.HTML, CreatedAt: at(now), DueAt: at(now),
		UserID: orNull(userID),
	}
}

// claimed is the email as it is once its next delivery is counted.
func (r emailRow) claimed() storage.Email {
	return storage.Email{
		ID:       strconv.FormatInt(r.ID, 10),
		Message:  mail.Message{To: r.Recipient, Subject: r.Subject, Text: r.Text, HTML: r.HTML},
		Attempts: r.Attempts + 1,
	}
}
