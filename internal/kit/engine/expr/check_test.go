package expr

import (
	"strconv"
	"strings"
	"testing"
)

// TestRefusedConditions checks the errors for conditions that are well-formed but invalid,
// and which of several errors is reported.
func TestRefusedConditions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "The expression can not be empty;"},
		{"((a = :v))", "The expression has redundant parentheses;"},
		{"a = :undefined", "An expression attribute value used in expression is not defined; attribute value: :undefined"},
		{"a = #undef", "An expression attribute name used in the document path is not defined; attribute name: #undef"},
		{"status = :v", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"a.status = :v", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"STATUS = :v", "Attribute name is a reserved keyword; reserved keyword: STATUS"},
		{"a = a", "The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [a]"},
		{"size(a)", "The function is not allowed to be used this way in an expression; function: size"},
		{"size(a,b) = :n", "Incorrect number of operands for operator or function; operator or function: size, number of operands: 2"},
		{"SIZE(a) = :n", "Invalid function name; function: SIZE"},
		{"foo(a)", "Invalid function name; function: foo"},
		{"attribute_exists(a) = :t", "The function is not allowed to be used this way in an expression; function: attribute_exists"},
		{"attribute_exists(:v)", "Operator or function requires a document path; operator or function: attribute_exists"},
		{"attribute_exists(a,b)", "Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2"},
		{"attribute_exists(size(a))", "Operator or function requires a document path; operator or function: attribute_exists"},
		{"ATTRIBUTE_EXISTS(a)", "Invalid function name; function: ATTRIBUTE_EXISTS"},
		{"attribute_type(a, :v)", "Invalid attribute type name found; type: x, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
		{"attribute_type(a, b)", "Incorrect operand type for operator or function; operator or function: attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
		{"attribute_type(a,:n)", "Incorrect operand type for operator or function; operator or function: attribute_type, operand type: N"},
		{"attribute_type(a)", "Incorrect number of operands for operator or function; operator or function: attribute_type, number of operands: 1"},
		{"contains(a)", "Incorrect number of operands for operator or function; operator or function: contains, number of operands: 1"},
		{"contains(a,a)", "The first operand must be distinct from the remaining operands for this operator or function; operator: contains, first operand: [a]"},
		{"begins_with(a,:n)", "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"},
		{"begins_with(a,:ss)", "Incorrect operand type for operator or function; operator or function: begins_with, operand type: SS"},
		{"begins_with(a)", "Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 1"},
		{"begins_with(:n,a)", "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"},
		{"begins_with(a,a)", "The first operand must be distinct from the remaining operands for this operator or function; operator: begins_with, first operand: [a]"},
		{"if_not_exists(a,:v) = :v", "The function is not allowed in a condition expression; function: if_not_exists"},
		{"list_append(a,:l) = :v", "The function is not allowed in a condition expression; function: list_append"},
		{"a BETWEEN :m AND :n", "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, " +
			"upper bound operand: AttributeValue: {N:1}"},
		{"a BETWEEN :n AND :v", "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, " +
			"upper bound operand: AttributeValue: {S:x}"},
		{"a < :t", "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"},
		{"a < :ss", "Incorrect operand type for operator or function; operator or function: <, operand type: SS"},
		{"a < :l", "Incorrect operand type for operator or function; operator or function: <, operand type: L"},
		{"a < :map", "Incorrect operand type for operator or function; operator or function: <, operand type: M"},
		{"a < :z", "Incorrect operand type for operator or function; operator or function: <, operand type: NULL"},
		{"a BETWEEN :t AND :t", "Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: BOOL"},
		{"a BETWEEN :ss AND :ss", "Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: SS"},
		{"size(:n) = :n", "Incorrect operand type for operator or function; operator or function: size, operand type: N"},
		{"size(:t) = :n", "Incorrect operand type for operator or function; operator or function: size, operand type: BOOL"},
		{"((attribute_exists(a)))", "The expression has redundant parentheses;"},
		{"(((a = :v) AND (b = :v)))", "The expression has redundant parentheses;"},
		{"NOT ((a = :v))", "The expression has redundant parentheses;"},
		{"a = :v AND ((b = :v))", "The expression has redundant parentheses;"},
		{"size(size(a)) = :n", "Incorrect operand type for operator or function; operator or function: size, operand type: N"},
		{"size(begins_with(a,:v)) = :n", "The function is not allowed to be used this way in an expression; function: begins_with"},
		{"a[99999999999] = :v", "List index is not within the allowable range; index: [99999999999]"},
		{"attribute_type(a,:v) OR a = :undefined", "Invalid attribute type name found; type: x, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
		{"a[2147483648] = :v", "List index is not within the allowable range; index: [2147483648]"},
		{"a = ((:v))", "The expression has redundant parentheses;"},
		{"((a)) = :v", "The expression has redundant parentheses;"},
		{"a = :1", "An expression attribute value used in expression is not defined; attribute value: :1"},
		{"a = :_v", "An expression attribute value used in expression is not defined; attribute value: :_v"},
		{"a = #1", "An expression attribute name used in the document path is not defined; attribute name: #1"},
		{"a IN (a)", "The first operand must be distinct from the remaining operands for this operator or function; operator: IN, first operand: [a]"},
		{"a IN (b, a)", "The first operand must be distinct from the remaining operands for this operator or function; operator: IN, first operand: [a]"},
		{"a BETWEEN a AND b", "The first operand must be distinct from the remaining operands for this operator or function; operator: BETWEEN, first operand: [a]"},
		{"a BETWEEN b AND a", "The first operand must be distinct from the remaining operands for this operator or function; operator: BETWEEN, first operand: [a]"},
		{"a <> a", "The first operand must be distinct from the remaining operands for this operator or function; operator: <>, first operand: [a]"},
		{"a < a", "The first operand must be distinct from the remaining operands for this operator or function; operator: <, first operand: [a]"},
		{"#n = n", "The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [n]"},
		{"attribute_type(a,a)", "The first operand must be distinct from the remaining operands for this operator or function; operator: attribute_type, first operand: [a]"},
		{"contains(a.b,a.b)", "The first operand must be distinct from the remaining operands for this operator or function; operator: contains, first operand: [a, b]"},
		{"a[0] = a[0]", "The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [a, [0]]"},
		{"begins_with(size(a),:v)", "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"},
		{"attribute_type(:v,:v)", "Invalid attribute type name found; type: x, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
		{"attribute_not_exists(:v)", "Operator or function requires a document path; operator or function: attribute_not_exists"},
		{"size(:z)=:n", "Incorrect operand type for operator or function; operator or function: size, operand type: NULL"},
		{"a BETWEEN :v AND :n", "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {S:x}, " +
			"upper bound operand: AttributeValue: {N:1}"},
		{"a BETWEEN :ss AND :n", "Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: SS"},
		{"a IN (attribute_exists(b))", "The function is not allowed to be used this way in an expression; function: attribute_exists"},
		{"a = attribute_exists(b)", "The function is not allowed to be used this way in an expression; function: attribute_exists"},
		{"a < :undefined AND #undef = :v", "An expression attribute value used in expression is not defined; attribute value: :undefined"},
		{"#undef = :undefined", "An expression attribute name used in the document path is not defined; attribute name: #undef"},
		{"status = #undef", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"b = status AND ((a = :v))", "The expression has redundant parentheses;"},
		{"foo(a) AND status = :v", "Invalid function name; function: foo"},
		{"foo(status)", "Invalid function name; function: foo"},
		{"status(a)", "Invalid function name; function: status"},
		{"size(status) = :n", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"begins_with(status)", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"attribute_exists(a,b) AND foo(a)", "Invalid function name; function: foo"},
		{"a = a AND foo(c)", "Invalid function name; function: foo"},
		{"a = :undefined AND a = a", "An expression attribute value used in expression is not defined; attribute value: :undefined"},
		{"begins_with(a,:n) AND b = :undefined", "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"},
		{"begins_with(a,:n) AND ((b = :v))", "The expression has redundant parentheses;"},
		{"a BETWEEN :m AND :n AND c = :undefined", "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}," +
			" upper bound operand: AttributeValue: {N:1}"},
		{"NOT attribute_exists(a) = :v", "The function is not allowed to be used this way in an expression; function: attribute_exists"},
		{"NOT size(a)", "The function is not allowed to be used this way in an expression; function: size"},
		{"size(a) > :n AND size(b)", "The function is not allowed to be used this way in an expression; function: size"},
		{"(((a))) = :v", "The expression has redundant parentheses;"},
		{"begins_with((a),((:v)))", "The expression has redundant parentheses;"},
		{"size = :v", "Attribute name is a reserved keyword; reserved keyword: size"},
		{"a.size = :v", "Attribute name is a reserved keyword; reserved keyword: size"},
		{"#undef = status", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"#undef = :v AND status = :v", "Attribute name is a reserved keyword; reserved keyword: status"},
		{":undefined = status", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"status = :v AND foo(a)", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"begins_with(status,:v) AND foo(a)", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"foo(a) AND ((b = :v))", "The expression has redundant parentheses;"},
		{"((b = :v)) AND foo(a)", "The expression has redundant parentheses;"},
		{"size(a) AND status = :v", "The function is not allowed to be used this way in an expression; function: size"},
		{"size(a) AND foo(a)", "The function is not allowed to be used this way in an expression; function: size"},
		{"size(a) AND b = :undefined", "The function is not allowed to be used this way in an expression; function: size"},
		{"b = :undefined AND size(a)", "The function is not allowed to be used this way in an expression; function: size"},
		{"attribute_exists(a,b) AND c = :undefined", "Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2"},
		{"c = :undefined AND attribute_exists(a,b)", "An expression attribute value used in expression is not defined; attribute value: :undefined"},
		{"attribute_exists(:undefined)", "An expression attribute value used in expression is not defined; attribute value: :undefined"},
		{"attribute_exists(a, :undefined)", "An expression attribute value used in expression is not defined; attribute value: :undefined"},
		{"attribute_exists(:undefined, a)", "An expression attribute value used in expression is not defined; attribute value: :undefined"},
		{"a = a AND size(b)", "The function is not allowed to be used this way in an expression; function: size"},
		{"size(b) AND a = a", "The function is not allowed to be used this way in an expression; function: size"},
		{"a = a AND attribute_exists(b,c)", "The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [a]"},
		{"if_not_exists(a,:v) = :v AND foo(a)", "The function is not allowed in a condition expression; function: if_not_exists"},
		{"foo(a) AND if_not_exists(a,:v) = :v", "Invalid function name; function: foo"},
		{"if_not_exists(a,:v) AND status = :v", "The function is not allowed in a condition expression; function: if_not_exists"},
		{"a < :t AND b = :undefined", "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"},
		{"a BETWEEN :undefined AND :n", "An expression attribute value used in expression is not defined; attribute value: :undefined"},
		{"a IN (:n, :undefined, status)", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"a = :v OR b = status AND #undef = :v", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"attribute_type(a,:v) AND status = :v", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"a = b AND #n = #n", "The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [n]"},
		{"b = :undefined AND " + strings.Repeat("a.", 32) + "a = :n", "An expression attribute value used in expression is not defined; attribute value: :undefined"},
		{strings.Repeat("a.", 32) + "a = :undefined", "The document path has too many nesting levels; nesting levels: 33"},
		{"a > :n AND (b > :undefined OR size(c))", "The function is not allowed to be used this way in an expression; function: size"},
	} {
		refused(t, conditionKind, c.text, "Invalid ConditionExpression: "+c.want)
		refused(t, filterKind, c.text, "Invalid FilterExpression: "+c.want)
	}
}

func TestRefusedUpdates(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "The expression can not be empty;"},
		{"SET a = :v SET b = :v", `The "SET" section can only be used once in an update expression;`},
		{"REMOVE a SET b = :v REMOVE c", `The "REMOVE" section can only be used once in an update expression;`},
		{"SET a = :n + :v", "Incorrect operand type for operator or function; operator or function: +, operand type: S"},
		{"SET a = :v + :v", "Incorrect operand type for operator or function; operator or function: +, operand type: S"},
		{"SET q = if_not_exists(:v, :n)", "Operator or function requires a document path; operator or function: if_not_exists"},
		{"SET q = if_not_exists(q, q)", "The first operand must be distinct from the remaining operands for this operator or function; operator: if_not_exists, first operand: [q]"},
		{"SET q = if_not_exists(q)", "Incorrect number of operands for operator or function; operator or function: if_not_exists, number of operands: 1"},
		{"SET q = list_append(:v, :l)", "Incorrect operand type for operator or function; operator or function: list_append, operand type: S"},
		{"SET q = list_append(l)", "Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1"},
		{"SET q = list_append(list_append(l,:l),:l)", "The function is not allowed to be used this way in an expression; function: list_append"},
		{"SET q = size(l)", "The function is not allowed in an update expression; function: size"},
		{"SET q = attribute_exists(l)", "The function is not allowed in an update expression; function: attribute_exists"},
		{"SET q = foo(l)", "Invalid function name; function: foo"},
		{"SET q = ((:n))", "The expression has redundant parentheses;"},
		{"SET status = :v", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"SET #undef = :v", "An expression attribute name used in the document path is not defined; attribute name: #undef"},
		{"SET q = :undefined", "An expression attribute value used in expression is not defined; attribute value: :undefined"},
		{"SET a = :v, a = :v", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]"},
		{"SET a = :v, a.b = :v", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]"},
		{"SET a.b = :v, a = :v", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a]"},
		{"SET a[0] = :v, a[0] = :v", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, [0]], path two: [a, [0]]"},
		{"SET a[0] = :v, a.b = :v", "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, [0]], path two: [a, b]"},
		{"SET a = :v REMOVE a", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]"},
		{"SET a.b.c = :v, a.b[0] = :v", "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b, c], path two: [a, b, [0]]"},
		{"SET a = :v, #a = :v", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]"},
		{"REMOVE a, a", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]"},
		{"REMOVE l, l[0]", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [l], path two: [l, [0]]"},
		{"ADD n :v", "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"ADD n :l", "Incorrect operand type for operator or function; operator: ADD, operand type: LIST, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"ADD n :t", "Incorrect operand type for operator or function; operator: ADD, operand type: BOOLEAN, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"ADD n :map", "Incorrect operand type for operator or function; operator: ADD, operand type: MAP, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"DELETE ss :v", "Incorrect operand type for operator or function; operator: DELETE, operand type: STRING, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
		{"DELETE ss :n", "Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
		{"SET q = if_not_exists(q, list_append(l,:l))", "The function is not allowed to be used this way in an expression; function: list_append"},
		{"SET q = list_append(l,:l) + :n", "The function is not allowed to be used this way in an expression; function: list_append"},
		{"SET q = ((n + :n))", "The expression has redundant parentheses;"},
		{"SET n = :n, n = :undefined", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [n], path two: [n]"},
		{"SET n = :undefined, n = :n", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [n], path two: [n]"},
		{"SET n = :n, n = :n, q = :undefined", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [n], path two: [n]"},
		{"SET n = :n, n = status", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"SET n = n + :v, n = :n", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [n], path two: [n]"},
		{"REMOVE n SET n = :n", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [n], path two: [n]"},
		{"ADD n :v SET n = :n", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [n], path two: [n]"},
		{"SET a = :n ADD a :n DELETE a :n REMOVE a", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]"},
		{"DELETE n :v SET n = :n", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [n], path two: [n]"},
		{"SET n = :n SET m = foo(a)", "Invalid function name; function: foo"},
		{"SET n = foo(a) SET n = :v", "Invalid function name; function: foo"},
		{"SET n = ((:v)) SET n = :v", "The expression has redundant parentheses;"},
		{"SET n = status SET n = :v", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"SET #undef = :v, #other = :v", "An expression attribute name used in the document path is not defined; attribute name: #other"},
		{"REMOVE #undef ADD n :undefined", "An expression attribute name used in the document path is not defined; attribute name: #undef"},
		{"SET a = :n, a = :n REMOVE #undef", "An expression attribute name used in the document path is not defined; attribute name: #undef"},
		{"SET #undef = :v, a = :n, a = :n", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]"},
		{"SET a = :n, a = :n REMOVE b, b", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [b], path two: [b]"},
		{"SET a.b = :v, a.c = :v, a = :v", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, c], path two: [a]"},
		{"SET a[0] = :v, a.b = :v, a = :v", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a]"},
		{"SET a = :n + :v, q = #undef, s = :undefined", "An expression attribute value used in expression is not defined; attribute value: :undefined"},
		{"SET s = :undefined, a = :n + :v, q = #undef", "An expression attribute name used in the document path is not defined; attribute name: #undef"},
		{"SET q = #undef ADD n :v", "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"ADD n :v SET q = :n + :v", "Incorrect operand type for operator or function; operator or function: +, operand type: S"},
		{"SET q = :undefined + #undef", "An expression attribute value used in expression is not defined; attribute value: :undefined"},
		{"SET " + strings.Repeat("a.", 32) + "a = :v, status = :v", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"SET " + strings.Repeat("a.", 32) + "a = :undefined", "The document path has too many nesting levels; nesting levels: 33"},
		{"SET " + strings.Repeat("a.", 32) + "#undef = :n", "The document path has too many nesting levels; nesting levels: 33"},
		{"SET m.a = :v, m.b = :n, m.a.c = :v", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m, a], path two: [m, a, c]"},
	} {
		refused(t, updateKind, c.text, "Invalid UpdateExpression: "+c.want)
	}
}

func TestRefusedProjections(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "The expression can not be empty;"},
		{"s, s", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [s], path two: [s]"},
		{"m.a, m", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m, a], path two: [m]"},
		{"m.a, m.a", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m, a], path two: [m, a]"},
		{"l[0],l.a", "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [l, [0]], path two: [l, a]"},
		{"l[0], l[0].a", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [l, [0]], path two: [l, [0], a]"},
		{"status", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"#undef", "An expression attribute name used in the document path is not defined; attribute name: #undef"},
		{"#undef, #other", "An expression attribute name used in the document path is not defined; attribute name: #other"},
		{"s, s, n, n", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [n], path two: [n]"},
		{"l[0], l.a, l", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [l, a], path two: [l]"},
		{"s, #s", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [s], path two: [s]"},
		{"#dot.b, #dot", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [x.y, b], path two: [x.y]"},
	} {
		refused(t, projectionKind, c.text, "Invalid ProjectionExpression: "+c.want)
	}
}

// TestLimits checks expressions at and beyond each limit.
func TestLimits(t *testing.T) {
	repeat := func(text, between string, n int) string {
		return strings.TrimSuffix(strings.Repeat(text+between, n), between)
	}
	length := func(n int) string {
		return "attribute_exists(" + strings.Repeat("x", n-len("attribute_exists()")) + ")"
	}
	in := func(n int) string { return "a IN (" + repeat("b", ",", n) + ")" }
	deep := func(n int) string { return repeat("a", ".", n) + " = b" }
	for _, c := range []struct{ fits, not, want string }{
		{length(4096), length(4097), "Expression size has exceeded the maximum allowed size; expression size: 4097"},
		{repeat("a=b", " OR ", 150), repeat("a=b", " OR ", 151), "The expression contains too many operators; operator count: 301"},
		{repeat("NOT ", "", 299) + "a=b", repeat("NOT ", "", 300) + "a=b", "The expression contains too many operators; operator count: 301"},
		{in(100), in(101), "The IN operator is provided with too many operands; number of operands: 101"},
		{deep(32), deep(33), "The document path has too many nesting levels; nesting levels: 33"},
		{"a[2147483647] = b", "a[2147483648] = b", "List index is not within the allowable range; index: [2147483648]"},
	} {
		compile(t, conditionKind, c.fits)
		refused(t, conditionKind, c.not, "Invalid ConditionExpression: "+c.want)
	}
	// Parentheses are not operators, so their depth is limited only by the length.
	refused(t, conditionKind, repeat("(", "", 2000)+"a=b"+repeat(")", "", 2000),
		"Invalid ConditionExpression: The expression has redundant parentheses;")

	sums := func(n int) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = "a" + strconv.Itoa(i) + "=:n+:n"
		}
		return "SET " + strings.Join(parts, ",")
	}
	compile(t, updateKind, sums(300))
	refused(t, updateKind, sums(301), "Invalid UpdateExpression: The expression contains too many operators; operator count: 301")
}

// TestReservedWords checks the size of the list and its first and last words.
func TestReservedWords(t *testing.T) {
	if len(reservedWords) != 573 {
		t.Errorf("%d reserved words, want 573", len(reservedWords))
	}
	for _, word := range []string{"abort", "ZONE", "Status", "name", "tTL", "loged", "INNTER", "size"} {
		refused(t, projectionKind, word, "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: "+word)
	}
	for _, word := range []string{"logged", "zones", "begins_with", "pk", "id", "userId", "namex", "x"} {
		compile(t, projectionKind, word)
	}
}
