#if PostgreSQL
  import CPostgreSQL
  import Foundation

  /// Where a server is and how to connect to it: the URL as libpq takes it, and the settings that are added.
  struct ServerPlace: Sendable {
    /// The schema in which names without a schema are looked up.
    let schema: String
    let usesNamedStatements: Bool
    /// The settings, if they go with each transaction; nil if they belong to the session.
    private(set) var localSettings: LocalSettings?
    /// The values of the URL, by libpq's keywords; the password may be among them.
    let words: [String: String]
    private let password: (@Sendable () throws -> String?)?
    private let settings: [String: String]
    private let applicationName: String?

    /// Whether a URL is that of a server.
    static func isServer(_ url: URL) -> Bool { ["postgresql", "postgres"].contains(url.scheme?.lowercased()) }

    /// - Parameters:
    ///   - password: called for each connection, so that it may give a short-lived password; with nil, the password is
    ///     left to the URL and libpq.
    ///   - settings: the server's settings for each session, such as `lock_timeout`.
    ///   - usesNamedStatements: false behind a pooler that gives each transaction another session.
    init(
      _ url: URL, schema: String = "public", password: (@Sendable () throws -> String?)? = nil,
      settings: [String: String] = [:], applicationName: String? = nil, usesNamedStatements: Bool = true
    ) throws {
      guard Self.isServer(url) else { throw ServerPlaceError(message: "the URL's scheme is not postgresql") }
      words = try Self.words(of: Self.withoutSchema(url))
      for port in (words["port"] ?? "").split(separator: ",") where !(1...65535 ~= Int(port) ?? 0) {
        throw ServerPlaceError(message: "the port \"\(port)\" is no number from 1 to 65535")
      }
      for (name, value) in settings {
        let isName = name.utf8.allSatisfy {
          $0 == 46 || $0 == 95 || UnicodeScalar($0).properties.isAlphabetic || 48...57 ~= $0
        }
        guard isName, !name.isEmpty, !value.utf8.contains(0) else {
          throw ServerPlaceError(message: "\"\(name)\" is no setting")
        }
      }
      // The server takes "$user", even in quotes, as the schema with the user's name.
      guard !schema.isEmpty, schema != "$user", !schema.utf8.contains(0) else {
        throw ServerPlaceError(message: "the schema's name is none that a search path can have")
      }
      self.schema = schema
      self.password = password
      self.settings = settings
      self.applicationName = applicationName
      self.usesNamedStatements = usesNamedStatements
      localSettings = usesNamedStatements ? nil : LocalSettings(allSettings)
    }

    /// The URL parameter with the schema of a store that a migration makes; it takes precedence over every option.
    static let workingSchema = "workingSchema"

    /// Returns the schema that a URL names by its parameter `schema`, which is not one of libpq's parameters.
    static func schema(of url: URL) -> String? { parameter(workingSchema, of: url) ?? parameter("schema", of: url) }

    static func parameter(_ name: String, of url: URL) -> String? {
      URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.last { $0.name == name }?.value
    }

    private static func withoutSchema(_ url: URL) -> URL {
      guard schema(of: url) != nil, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
        return url
      }
      let items = parts.percentEncodedQueryItems?.filter { !["schema", workingSchema].contains($0.name) } ?? []
      parts.percentEncodedQueryItems = items.isEmpty ? nil : items
      return parts.url ?? url
    }

    /// Parses the URL with libpq. libpq's message is not passed on, because it may quote the password.
    private static func words(of url: URL) throws -> [String: String] {
      var text = url.absoluteString
      if let end = text.firstIndex(of: ":") { text = text[..<end].lowercased() + text[end...] }
      var message: UnsafeMutablePointer<CChar>?
      defer { PQfreemem(message) }
      guard let options = PQconninfoParse(text, &message) else {
        throw ServerPlaceError(message: "the URL is not one that libpq understands")
      }
      defer { PQconninfoFree(options) }
      return words(options)
    }

    /// Returns the values of the options that have one, by keyword.
    static func words(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
      var words: [String: String] = [:], option = options
      while let keyword = option.pointee.keyword {
        if let value = option.pointee.val { words[String(cString: keyword)] = String(cString: value) }
        option += 1
      }
      return words
    }

    // MARK: Connecting

    /// Returns the values that are given to libpq for one connection, by keyword.
    func connectionWords() throws -> [String: String] {
      var words = words
      words["client_encoding"] = "UTF8"
      words["options"] = ([words["options"]] + ownOptions).compactMap { $0 }.joined(separator: " ")
      if words["options"] == "" { words["options"] = nil }
      if words["application_name"] == nil { words["application_name"] = applicationName }
      if let password = try password?() { words["password"] = password }
      // Without this, a server that an attacker puts in between would get the password.
      // `ServerConnection.open` looks at what libpq makes of these words and of its other sources.
      if words["sslmode"] == nil, words["service"] == nil, !isLocal { words["sslmode"] = ServerDestination.strictMode }
      // The loss of a server that disappears silently is noticed after a minute, not after two hours.
      for (word, value) in [("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3")]
      where words[word] == nil {
        words[word] = value
      }
      return words
    }

    private var allSettings: [(String, String)] {
      let path = "\"" + schema.replacing("\"", with: "\"\"") + "\""
      return [("search_path", path)] + settings.sorted { $0.key < $1.key }
    }

    private var ownOptions: [String] {
      // A pooler has sessions of its own, and may refuse these options.
      if localSettings != nil { return [] }
      return allSettings.map { "-c \($0)=\(Self.escaped($1))" }
    }

    /// Escapes a word of the keyword `options`, in which a space ends a word.
    private static func escaped(_ text: String) -> String {
      var escaped = ""
      for scalar in text.unicodeScalars {
        if scalar == "\\" || scalar == " " || 9...13 ~= scalar.value { escaped.unicodeScalars.append("\\") }
        escaped.unicodeScalars.append(scalar)
      }
      return escaped
    }
  }

  /// The error that a URL, or a setting that is added to it, cannot be used.
  struct ServerPlaceError: Error {
    let message: String
  }
#endif
