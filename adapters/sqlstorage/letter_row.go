package sqlstorage

import (
	"strconv"
	"time"

	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	letters = tableOf[letterRow]("letters")
	// A letter's id is the database's: it counts on, so that letters of one instant keep their order.
	insertLetter = tableOf[letterColumns]("letters").inserts()
)

// letterRow is a letter in the outbox.
type letterRow struct {
	ID int64 `db:"id"`
	letterColumns
}

type letterColumns struct {
	Recipient string  `db:"recipient"`
	Subject   string  `db:"subject"`
	Text      string  `db:"text"`
	HTML      string  `db:"html"`
	Attempts  int     `db:"attempts"`
	CreatedAt instant `db:"created_at"`
	DueAt     instant `db:"due_at"`
	UserID    text    `db:"user_id"`
}

func letterColumnsOf(m mail.Message, userID string, now time.Time) letterColumns {
	return letterColumns{
		Recipient: m.To, Subject: m.Subject, Text: m.Text, HTML: m.HTML, CreatedAt: at(now), DueAt: at(now),
		UserID: orNull(userID),
	}
}

// claimed is the letter as it is once its next delivery is counted.
func (r letterRow) claimed() storage.Letter {
	return storage.Letter{
		ID:       strconv.FormatInt(r.ID, 10),
		Message:  mail.Message{To: r.Recipient, Subject: r.Subject, Text: r.Text, HTML: r.HTML},
		Attempts: r.Attempts + 1,
	}
}
