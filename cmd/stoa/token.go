package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"stoa/app"
	"stoa/internal/control"
	"stoa/internal/kit/cli"
)

func (m *Main) tokenCommand() *cli.Command {
	return &cli.Command{
		Name:      "token",
		Usage:     "print an access token for a user, with dev identity",
		ArgsUsage: "USER",
		Description: "USER is a username or a user id. If a server has the data open, it issues the token.\n\n" +
			"Example:\n   curl http://127.0.0.1:8080/graphql -H \"Authorization: $(stoa token ana)\" -H 'Content-Type: application/json' -d " +
			"'{\"query\":\"{self{username}}\"}'",
		Flags: settingFlags("listen", "store", "table-prefix", "region", "identity"),
		Action: m.with(func(ctx context.Context, cmd *cli.Command, settings Settings) error {
			if settings.Identity != devIdentity {
				return errors.New("stoa token requires dev identity: sign in with POST /auth/sign-in instead")
			}
			if err := settings.Store.demand(); err != nil {
				return err
			}
			token, err := m.mintToken(ctx, settings, cmd.Args()[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(m.Stdout, token)
			return err
		}),
	}
}

// mintToken creates a token from the data or, if a server has opened the data, requests it
// from the server.
func (m *Main) mintToken(ctx context.Context, s Settings, user string) (string, error) {
	var locked *lockedError
	s.Systems = []string{app.Name} // it resolves usernames
	a, closeAll, err := assembleSilent(ctx, s)
	if errors.As(err, &locked) {
		token, err := m.call(ctx, s, "token", control.Request{Args: []string{user}}, io.Discard)
		if errors.Is(err, control.ErrNotServing) {
			return askForToken(ctx, s, user)
		}
		return token, err
	}
	if err != nil {
		return "", err
	}
	_, tokens, err := a.Issuer.Mint(ctx, user)
	return tokens.AccessToken, errors.Join(err, closeAll())
}

// askForToken requests a token from the configured server.
func askForToken(ctx context.Context, s Settings, user string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	body, err := json.Marshal(map[string]string{"user": user})
	if err != nil {
		return "", err
	}
	address := "http://" + s.Listen + "/auth/dev/token"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", fmt.Errorf(
			"the data in %s is in use by another process, and no server answers on %s: set --listen to its address, or stop it",
			s.Store.Dir,
			s.Listen,
		)
	}
	defer response.Body.Close()
	var answer struct {
		AccessToken string `json:"accessToken"`
		Error       struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || answer.AccessToken == "" && answer.Error.Message == "" {
		return "", fmt.Errorf("%s is not a stoa server with dev identity (it answered %s): set --listen to the server's address", s.Listen, response.Status)
	}
	if answer.Error.Message != "" {
		return "", errors.New(answer.Error.Message)
	}
	return answer.AccessToken, nil
}
