import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads the XML of a source model.
///
/// The framework has a reader of its own that keeps everything; this one is for builds, which must not compile the
/// framework first, and it remembers where in the file things stand.
package enum ModelReader {
  /// - Throws: `SourceProblems`.
  package static func read(_ data: Data, path: String) throws(SourceProblems) -> ModelSource {
    // Foundation's parser stops the program at a name that is not UTF-8.
    if String(validating: data, as: UTF8.self) == nil {
      let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
      throw SourceProblems(
        list: [SourceProblem(path: path, line: line + 1, message: "the file is not text in UTF-8")])
    }
    let delegate = Delegate(path: path)
    let parser = XMLParser(data: data)
    parser.shouldResolveExternalEntities = false
    parser.delegate = delegate
    // The parser recovers from some errors and calls that success; the delegate is told of each.
    if !parser.parse(), delegate.problems.isEmpty { delegate.report("the file is not well-formed XML", parser) }
    if delegate.problems.isEmpty, !delegate.hasModel {
      delegate.problems = [SourceProblem(path: path, message: "the file holds no <model>")]
    }
    guard delegate.problems.isEmpty else { throw SourceProblems(list: delegate.problems) }
    return delegate.model
  }

  private final class Delegate: NSObject, XMLParserDelegate {
    /// No model nests deeper than model, entity, user info, entry.
    private static let deepest = 64
    var model: ModelSource
    var problems: [SourceProblem] = []
    var hasModel = false
    private var open: [String] = []

    init(path: String) { model = ModelSource(path: path) }

    func report(_ message: String, _ parser: XMLParser) {
      problems.append(
        SourceProblem(path: model.path, line: parser.lineNumber, column: parser.columnNumber, message: message))
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: Error) {
      // What follows the first error follows from it.
      guard problems.isEmpty else { return }
      report("the file is not well-formed XML (libxml2's error \((error as NSError).code))", parser)
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) { open.removeLast() }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      defer { open.append(name) }
      guard open.count < Self.deepest else { return parser.abortParsing() }
      let element = ModelElement(
        name: name, attributes: attributes,
        place: ModelPlace(line: parser.lineNumber, column: parser.columnNumber))
      switch (open, name) {
      case ([], "model"): hasModel = true
      case ([], _): report("the file holds <\(name)>, not <model>", parser)
      case (["model"], "entity"): add(element.entity(), parser)
      case (["model"], "composite"): model.composites.insert(element["name"] ?? "")
      case (["model", "entity"], "attribute"):
        add(element.attribute(), parser) { model.entities[model.entities.count - 1].attributes.append($0) }
      case (["model", "entity"], "relationship"):
        add(element.relationship(), parser) { model.entities[model.entities.count - 1].relationships.append($0) }
      case (["model", "entity", "fetchIndex"], "fetchIndexElement"):
        model.entities[model.entities.count - 1].references.append(element.reference("property"))
      case (["model", "entity", "uniquenessConstraints", "uniquenessConstraint"], "constraint"),
        (["model", "entity", "compoundIndexes", "compoundIndex"], "index"):
        model.entities[model.entities.count - 1].references.append(element.reference("value"))
      case (["model", "configuration"], "memberEntity"): model.members.append(element.reference("name"))
      default: break
      }
    }

    private func add(_ entity: EntitySource?, _ parser: XMLParser) {
      guard let entity else {
        // A place for the properties that follow.
        model.entities.append(EntitySource(name: "", place: ModelPlace()))
        return report("an entity has no name", parser)
      }
      model.entities.append(entity)
    }

    private func add<Property>(_ property: Property?, _ parser: XMLParser, to list: (Property) -> Void) {
      if let property { list(property) } else { report("a property has no name", parser) }
    }
  }
}
