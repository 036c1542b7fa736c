#if PostgreSQL
  import CPostgreSQL

  /// An error of the server or of libpq.
  struct ServerError: Error, Sendable {
    /// The server's code of five characters; empty if the connection was lost, or never made, before a code came.
    var sqlState: String
    /// The primary message, which contains no values of rows.
    var message: String
    /// The server's details, which contain values of rows: they must not appear in messages, and in logs only if values are
    /// shown there.
    var detail: String?
    var constraint: String?
    var table: String?
    var column: String?
    /// The file of the server's source in which the error arose, without its folder. Where a code stands for several errors, this
    /// tells them apart in any language of the server.
    var sourceFile: String?
    /// The number of the statement in its flight, counted from 0; nil if the error belongs to no statement.
    var statement: Int?
    /// The text of the statement that `statement` counts.
    var text: String?
    /// Whether the connection was lost. It is unknown then whether the statements that ran have taken effect.
    var isConnectionLost = false
    /// Whether the error was caused by a deadline that has passed.
    var isTimedOut = false
    /// Whether no connection was made because a value in the settings is wrong or does not fit the server.
    var isOfSettings = false

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
      // An error of libpq has no fields, and its message contains no values.
      message = field(UInt8(ascii: "M")) ?? Self.firstLine(of: PQresultErrorMessage(result))
      detail = field(UInt8(ascii: "D"))
      constraint = field(UInt8(ascii: "n"))
      table = field(UInt8(ascii: "t"))
      column = field(UInt8(ascii: "c"))
      sourceFile = field(UInt8(ascii: "F"))
      self.statement = statement
      self.text = text
    }

    /// The error of a connection that is lost, with libpq's message.
    static func lost(_ connection: OpaquePointer?) -> ServerError {
      let message = connection.map { firstLine(of: PQerrorMessage($0)) } ?? ""
      return ServerError(message: message.isEmpty ? "the connection is closed" : message, isConnectionLost: true)
    }

    /// Whether the server lacks a feature that a statement uses, or does not allow it to this role.
    var isOfMissingFeature: Bool {
      // Not supported, a syntax error, an unknown function, an unknown type or name.
      isOfMissingRight || ["0A000", "42601", "42883", "42704"].contains(sqlState)
    }

    /// Whether a value is too long for an index, and not a statement too large for the server: the code is the same, and the
    /// message is in the server's language.
    var isOfIndexRow: Bool {
      let files = [
        "brin.c", "brin_pageops.c", "brin_tuple.c", "ginentrypage.c", "gist.c", "hashinsert.c", "indextuple.c",
        "nbtutils.c",
        "nbtinsert.c", "nbtsort.c", "spgdoinsert.c",
      ]
      return sqlState == "54000" && files.contains(sourceFile ?? "")
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
