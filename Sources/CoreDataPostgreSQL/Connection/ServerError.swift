#if PostgreSQL
  import CPostgreSQL

  /// What the server, or libpq, answered in place of a result.
  struct ServerError: Error, Sendable {
    /// The server's code of five characters; empty where the connection was lost, or never made, before one came.
    var sqlState: String
    /// The primary message: no values of rows.
    var message: String
    /// What the server says besides, with values of rows: not for messages, and for logs only where values are shown.
    var detail: String?
    var constraint: String?
    var table: String?
    var column: String?
    /// The number of the statement in its flight, counted from 0; nil if it is of none.
    var statement: Int?
    /// The text of that statement.
    var text: String?
    /// Whether there is no connection any more: whatever ran may have been done or not.
    var isConnectionLost = false
    /// Whether the deadline had passed, which is then the reason.
    var isTimedOut = false

    init(sqlState: String = "", message: String, isConnectionLost: Bool = false, isTimedOut: Bool = false) {
      self.sqlState = sqlState
      self.message = message
      self.isConnectionLost = isConnectionLost
      self.isTimedOut = isTimedOut
    }

    /// Reads a result that is an error.
    init(result: OpaquePointer, statement: Int? = nil, text: String? = nil) {
      func field(_ code: UInt8) -> String? { PQresultErrorField(result, Int32(code)).map { String(cString: $0) } }
      sqlState = field(UInt8(ascii: "C")) ?? ""
      // libpq's own errors have no fields, and no values either.
      message = field(UInt8(ascii: "M")) ?? Self.firstLine(of: PQresultErrorMessage(result))
      detail = field(UInt8(ascii: "D"))
      constraint = field(UInt8(ascii: "n"))
      table = field(UInt8(ascii: "t"))
      column = field(UInt8(ascii: "c"))
      self.statement = statement
      self.text = text
    }

    /// What libpq says of a connection, which is lost.
    static func lost(_ connection: OpaquePointer?) -> ServerError {
      let message = connection.map { firstLine(of: PQerrorMessage($0)) } ?? ""
      return ServerError(message: message.isEmpty ? "the connection is closed" : message, isConnectionLost: true)
    }

    /// Whether the server does not know something that was asked for, does not have it, or not for this role.
    var isOfMissingFeature: Bool {
      // Not supported, a wrong word, no such function, no such type or name.
      isOfMissingRight || ["0A000", "42601", "42883", "42704"].contains(sqlState)
    }

    var isOfMissingRight: Bool { sqlState == "42501" }

    static func firstLine(of text: UnsafePointer<CChar>?) -> String {
      guard let text else { return "" }
      return String(cString: text).split(separator: "\n").first.map(String.init) ?? ""
    }
  }

  extension ServerError: CustomStringConvertible {
    var description: String { sqlState.isEmpty ? message : "\(sqlState): \(message)" }
  }
#endif
