import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An element of a model's XML with those in it. Other than `ModelSource`, which is what classes depend on, it has all that
/// the file says.
final class ModelTree {
  let element: ModelElement
  fileprivate(set) var children: [ModelTree] = []

  fileprivate init(_ element: ModelElement) { self.element = element }

  func children(named name: String) -> [ModelTree] { children.filter { $0.element.name == name } }

  /// The value of an attribute; an empty one is none.
  subscript(_ attribute: String) -> String? { element[attribute] }

  func flag(_ attribute: String) -> Bool { element.flag(attribute) }

  /// The `<model>` of a file; nil where `ModelReader` reports an error.
  static func parse(_ data: Data) -> ModelTree? {
    // Foundation's parser stops the program at a name that is not UTF-8.
    guard String(validating: data, as: UTF8.self) != nil else { return nil }
    let delegate = Delegate()
    let parser = XMLParser(data: data)
    parser.shouldResolveExternalEntities = false
    parser.delegate = delegate
    guard parser.parse(), !delegate.hasError, let root = delegate.root, root.element.name == "model" else { return nil }
    return root
  }

  private final class Delegate: NSObject, XMLParserDelegate {
    /// No model nests deeper than model, entity, user info, entry.
    private static let deepest = 64
    var root: ModelTree?
    var hasError = false
    private var open: [ModelTree] = []

    func parser(_ parser: XMLParser, parseErrorOccurred error: Error) { hasError = true }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      guard open.count < Self.deepest else { return parser.abortParsing() }
      let place = ModelPlace(line: parser.lineNumber, column: parser.columnNumber)
      let tree = ModelTree(ModelElement(name: name, attributes: attributes, place: place))
      open.last?.children.append(tree)
      root = root ?? tree
      open.append(tree)
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
      open.removeLast()
    }
  }
}
