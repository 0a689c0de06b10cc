package main

import (
	"fmt"

	"stoa/internal/kit/config"
	"stoa/internal/operator"
)

// shown returns the settings in force as operators see them, with secrets masked.
func shown(set *config.Set) []*operator.Setting {
	all := []*operator.Setting{}
	for _, f := range set.Fields() {
		all = append(all, &operator.Setting{Name: f.Name, Value: f.Text(), Source: fmt.Sprint(f.Source()), Meaning: f.Help})
	}
	return all
}

// diskOf returns the space of the disk that a directory is on.
func diskOf(dir string) (*operator.Disk, error) {
	free, total, err := diskSpace(dir)
	if err != nil {
		return nil, fmt.Errorf("the disk of %s: %w", dir, err)
	}
	return &operator.Disk{Free: free, Total: total}, nil
}
