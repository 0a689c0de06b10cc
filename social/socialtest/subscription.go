package socialtest

import (
	"encoding/base64"

	"stoa/internal/appstore/appstoretest"
)

// Receipt adds or replaces a receipt in the App Store. Apps send it as ReceiptData.
func (g Given) Receipt(name string, r appstoretest.Receipt) Given {
	return g.And(func(w *World) { w.AppStore.Set(name, r) })
}

// ReceiptData returns a receipt as apps send it.
func ReceiptData(name string) string { return base64.StdEncoding.EncodeToString([]byte(name)) }

// Buy records a receipt that is in the App Store.
func (g Given) Buy(user, receipt string) Given {
	return g.Does(user, `mutation { addAppStoreReceipt(receiptData: %q) }`, ReceiptData(receipt))
}

// Bonus grants a user their month of DIAMOND.
func (g Given) Bonus(user string) Given {
	return g.Does(user, `mutation { grantUserSubscriptionBonus { userId } }`)
}
