import Foundation
import XMLReading

/// Reads the XML of a source model.
///
/// The framework has another reader that keeps everything. This reader is for builds, which must not compile the
/// framework first, and it records the positions of elements in the file.
package enum ModelReader {
  /// Reads a model.
  /// - Throws: `SourceProblems`.
  package static func read(_ data: Data, path: String) throws(SourceProblems) -> ModelSource {
    var builder = Builder(path: path)
    do {
      if data.contains(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) { try builder.readAll(data) }
    } catch {
      builder.report(error, in: data)
    }
    if builder.problems.isEmpty, !builder.hasModel {
      builder.problems = [SourceProblem(path: path, message: "the file holds no <model>")]
    }
    guard builder.problems.isEmpty else { throw SourceProblems(list: builder.problems) }
    return builder.model
  }

  private struct Builder {
    var model: ModelSource
    var problems: [SourceProblem] = []
    var hasModel = false
    private var open: [String] = []

    init(path: String) { model = ModelSource(path: path) }

    mutating func readAll(_ data: Data) throws(XMLProblem) {
      var elements = try ModelElements(data)
      while true {
        switch try elements.next() {
        case .start(let element): start(element)
        case .end: open.removeLast()
        case .finished: return
        }
      }
    }

    /// Reports that the document is not XML. This replaces problems found before, which may be consequences.
    mutating func report(_ problem: XMLProblem, in data: Data) {
      let place = problem.position(in: data)
      switch problem.kind {
      case .encoding:
        problems = [SourceProblem(path: model.path, line: place.line, message: "the file is not text in UTF-8")]
      case .form:
        let reason = problem.reason.hasSuffix(".") ? String(problem.reason.dropLast()) : problem.reason
        report("the file is not well-formed XML: \(reason)", ModelPlace(line: place.line, column: place.column))
      }
    }

    private mutating func report(_ message: String, _ place: ModelPlace) {
      problems.append(SourceProblem(path: model.path, line: place.line, column: place.column, message: message))
    }

    private mutating func start(_ element: ModelElement) {
      defer { open.append(element.name) }
      let place = element.place
      switch (open, element.name) {
      case ([], "model"): hasModel = true
      case ([], _): report("the file holds <\(element.name)>, not <model>", place)
      case (["model"], "entity"): add(element.entity(), place)
      case (["model"], "composite"): model.composites.insert(element["name"] ?? "")
      case (["model", "entity"], "attribute"):
        add(element.attribute(), place) { $0.attributes.append($1) }
      case (["model", "entity"], "relationship"):
        add(element.relationship(), place) { $0.relationships.append($1) }
      case (["model", "entity", "fetchIndex"], "fetchIndexElement"):
        model.entities[model.entities.count - 1].references.append(element.reference("property"))
      case (["model", "entity", "uniquenessConstraints", "uniquenessConstraint"], "constraint"),
        (["model", "entity", "compoundIndexes", "compoundIndex"], "index"):
        model.entities[model.entities.count - 1].references.append(element.reference("value"))
      case (["model", "configuration"], "memberEntity"): model.members.append(element.reference("name"))
      default: break
      }
    }

    private mutating func add(_ entity: EntitySource?, _ place: ModelPlace) {
      guard let entity else {
        // This entity receives the properties that follow.
        model.entities.append(EntitySource(name: "", place: ModelPlace()))
        return report("an entity has no name", place)
      }
      model.entities.append(entity)
    }

    private mutating func add<Property>(
      _ property: Property?, _ place: ModelPlace, to list: (inout EntitySource, Property) -> Void
    ) {
      if let property {
        list(&model.entities[model.entities.count - 1], property)
      } else {
        report("a property has no name", place)
      }
    }
  }
}
