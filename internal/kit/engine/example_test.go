package engine_test

import (
	"context"
	"fmt"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/engine"
)

// Tests of other programs need only this to get a database.
func Example() {
	eng, err := engine.OpenMemory()
	if err != nil {
		panic(err)
	}
	defer eng.Close()
	db := dynamo.NewFromIface(eng)

	type book struct {
		ISBN  string `dynamo:"isbn,hash"`
		Title string `dynamo:"title"`
	}
	ctx := context.Background()
	if err := db.CreateTable("books", book{}).OnDemand(true).Wait(ctx); err != nil {
		panic(err)
	}
	books := db.Table("books")
	if err := books.Put(book{"978-0", "Walden"}).If("attribute_not_exists(isbn)").Run(ctx); err != nil {
		panic(err)
	}
	var found book
	if err := books.Get("isbn", "978-0").One(ctx, &found); err != nil {
		panic(err)
	}
	fmt.Println(found.Title)
	// Output: Walden
}
