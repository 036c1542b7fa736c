#if PostgreSQL
  import CPostgreSQL
  import Foundation

  // Connections that are not made because of what the URL, the environment or a service file says: another attempt would fail in
  // the same way.
  extension ServerConnection {
    /// Whether libpq refuses the values of a connection before it tries to reach a server.
    ///
    /// libpq is asked again, without the password, since the first error's text does not tell it.
    static func areRefused(_ words: [String: String]) -> Bool {
      var words = words
      words["password"] = nil
      words["connect_timeout"] = "5"
      return withArrays(of: words) { PQpingParams($0, $1, 0) } == PQPING_NO_ATTEMPT
    }

    /// The error of libpq's that names what is wrong in the settings.
    static func refusal(of handle: OpaquePointer) -> ServerError {
      let text = ServerError.firstLine(of: PQerrorMessage(handle))
      var error = ServerError(message: text.isEmpty ? "libpq does not take the settings of the connection" : text)
      if let (_, option) = failures.first(where: { text.contains($0.words) }) { error.message += " (option \(option))" }
      error.isOfSettings = true
      return error
    }

    /// Whether each of the hosts has failed by the settings.
    static func isOfSettings(_ handle: OpaquePointer, _ lines: [Substring]) -> Bool {
      if PQconnectionNeedsPassword(handle) == 1 { return true }
      let attempts = lines.filter { $0.hasPrefix("connection to server") }
      return !attempts.isEmpty && attempts.allSatisfy { line in failures.contains { line.contains($0.words) } }
    }

    /// What libpq says where a server was reached and a setting does not fit it, and the option. `LibraryLanguage` has libpq use
    /// these words whatever the locale of the program is.
    private static let failures: [(words: String, option: String)] = [
      ("does not support SSL", "sslmode"), ("no password supplied", "password"),
      ("root certificate file", "sslrootcert"), ("certificate verify failed", "sslrootcert"),
      ("does not match host name", "sslmode"), ("channel binding", "channel_binding"),
      ("authentication method requirement", "require_auth"), ("does not support direct SSL", "sslnegotiation"),
      ("GSSAPI", "gssencmode"),
    ]
  }
#endif
