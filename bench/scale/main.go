// Command scale prints what networks of 10 thousand to 1 billion users need: the monthly bill of
// DynamoDB, partitions, processes and messages on the bus. It multiplies the costs that
// docs/costs.md measures with a mix of users, and simulates the delivery of posts whose authors
// have numbers of followers as in real networks: few have very many.
package main

import (
	"fmt"
	"log"
	"os"
)

func main() {
	costs, err := readCosts("docs/costs.md")
	if err != nil {
		log.Fatal(err)
	}
	text, err := figures(costs)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprint(os.Stdout, text)
}
