package archive

import "time"

// ImportLimits limit what users import with requests. 0 is no limit.
type ImportLimits struct {
	// Rows is the maximum number of rows of a file.
	Rows int
	// DailyRows is the maximum number of rows of all files of a user on a day in UTC.
	DailyRows int
}

// DefaultImportLimits are the limits unless configured otherwise.
var DefaultImportLimits = ImportLimits{Rows: 100_000, DailyRows: 1_000_000}

// Imported is the number of rows that a user has imported on a day, in the form 2006-01-02.
type Imported struct {
	Day  string `dynamo:"import_day"`
	Rows int    `dynamo:"import_rows"`
}

// CheckRows refuses a file with too many rows.
func (l ImportLimits) CheckRows(rows int) error {
	if l.Rows > 0 && rows > l.Rows {
		return params(limit("TOO_MANY_ROWS", "csv has more than %d rows: split it, or upload it with requestUpload and give its key as recordsKey", l.Rows),
			map[string]any{"field": "csv", "most": l.Rows})
	}
	return nil
}

// Importing returns the user after importing some rows, or refuses the import if it exceeds
// the limit of the day.
func (u User) Importing(rows int, l ImportLimits, now time.Time) (*User, error) {
	if l.DailyRows == 0 || rows == 0 {
		return &u, nil
	}
	if today := now.UTC().Format(time.DateOnly); u.Imported.Day != today {
		u.Imported = Imported{Day: today}
	}
	if u.Imported.Rows+rows > l.DailyRows {
		e := limit(
			"TOO_MANY_ROWS_A_DAY",
			"csv has %d rows, and you have imported %d of at most %d since midnight UTC: import it tomorrow",
			rows,
			u.Imported.Rows,
			l.DailyRows,
		)
		return nil, params(e, map[string]any{"field": "csv", "rows": rows, "imported": u.Imported.Rows, "most": l.DailyRows})
	}
	u.Imported.Rows += rows
	return &u, nil
}
