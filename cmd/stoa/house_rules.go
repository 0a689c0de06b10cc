package main

import (
	"os"

	"stoa/internal/operator"
)

// readHouseRules reads the rules of the service; nil if there is no file.
func readHouseRules(file string) (operator.HouseRules, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return operator.ReadHouseRules(f)
}
