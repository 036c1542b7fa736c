// The names of types, and the declarations of variables with their types.
extension PostgreSQLDialect {
  package func name(of type: SQLColumnType) -> String {
    type == .string ? "text COLLATE \"C\"" : typeName(type)
  }

  /// The name of a type without a collation: the declaration of a variable has none.
  package func typeName(_ type: SQLColumnType) -> String {
    switch type {
    case .integer16: "smallint"
    case .integer32, .entityNumber: "integer"
    case .integer64, .key, .version, .position: "bigint"
    case .boolean: "boolean"
    case .timestamp, .double: "double precision"
    case .float: "real"
    case .decimal: "numeric"
    case .string: "text"
    case .uuid: "uuid"
    case .data: "bytea"
    }
  }

  package func variable(_ number: Int) -> String { "$\(number)" }

  package var plainVariable: String? { nil }

  package func repeatedVariable(_ number: Int) -> String { variable(number) }

  package func declare(_ content: SQLParameter.Content, to printer: inout SQLPrinter) {
    switch content {
    case .value(let type): printer.declare(typeName(type))
    case .keys: printer.declare("bigint[]")
    }
  }

  package func declareVariable(of value: SQLValue, to printer: inout SQLPrinter) {
    switch value {
    case .integer: printer.declare("bigint")
    case .real: printer.declare("double precision")
    case .null, .text: printer.declare("text")
    case .blob: printer.declare("bytea")
    }
    if case .text(let text) = value, text.utf8.contains(0) { printer.refuse("a string with U+0000") }
  }
}
