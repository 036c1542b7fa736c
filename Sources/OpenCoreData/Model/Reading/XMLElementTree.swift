import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An XML element with its attributes and child elements. Text between elements means nothing in a model.
final class XMLElementTree {
  let name: String
  let attributes: [String: String]
  private(set) var children: [XMLElementTree] = []

  private init(name: String, attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  /// The value of an attribute.
  subscript(_ attribute: String) -> String? { attributes[attribute] }

  /// Whether an attribute says yes.
  func flag(_ attribute: String) -> Bool {
    switch attributes[attribute] {
    case "YES", "true", "1": true
    default: false
    }
  }

  /// The child elements of a name.
  func children(named name: String) -> [XMLElementTree] { children.filter { $0.name == name } }

  /// Parses a document.
  /// - Throws: `ModelProblem.unreadable`.
  static func parse(_ data: Data) throws -> XMLElementTree {
    // Foundation's parser stops the program at a name that is not UTF-8.
    if String(validating: data, as: UTF8.self) == nil {
      let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
      throw ModelProblem.unreadable("The file is not text in UTF-8 (line \(line + 1)).")
    }
    let builder = Builder()
    let parser = XMLParser(data: data)
    parser.shouldResolveExternalEntities = false
    parser.delegate = builder
    guard parser.parse(), !builder.hasFailed, let root = builder.root else {
      let line = parser.lineNumber > 0 ? " (line \(parser.lineNumber))" : ""
      throw ModelProblem.unreadable("The file is not well-formed XML\(line).")
    }
    return root
  }

  /// Builds the tree while the parser reads.
  private final class Builder: NSObject, XMLParserDelegate {
    /// No model nests deeper than model, entity, user info, entry; a deeper document is none.
    private static let deepest = 64
    private(set) var root: XMLElementTree?
    /// The parser recovers from some errors and calls that success.
    private(set) var hasFailed = false
    private var open: [XMLElementTree] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      let element = XMLElementTree(name: name, attributes: attributes)
      guard open.count < Self.deepest else { return parser.abortParsing() }
      if let parent = open.last { parent.children.append(element) } else { root = element }
      open.append(element)
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: Error) { hasFailed = true }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
      open.removeLast()
    }
  }
}
