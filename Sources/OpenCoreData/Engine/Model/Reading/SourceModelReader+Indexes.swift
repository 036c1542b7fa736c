import Foundation
import OpenCocoaFoundation

extension SourceModelReader {
  /// Reads uniqueness constraints, compound indexes and fetch indexes of an entity.
  func readIndexes(of entity: NSEntityDescription, _ element: XMLElementTree) throws {
    entity.uniquenessConstraints = try groups(
      element, "uniquenessConstraints", "uniquenessConstraint", "constraint", of: entity)
    entity.compoundIndexes = try groups(element, "compoundIndexes", "compoundIndex", "index", of: entity)
    entity.indexes = try element.children(named: "fetchIndex").map { index in
      let elements = try index.children(named: "fetchIndexElement").map { try fetchIndexElement($0, of: entity) }
      let result = NSFetchIndexDescription(name: index["name"] ?? "", elements: elements)
      result.partialIndexPredicate = try condition(index, of: entity)
      return result
    }
  }

  /// Returns the condition of a partial index; nil if the index has none.
  private func condition(_ index: XMLElementTree, of entity: NSEntityDescription) throws -> NSPredicate? {
    guard let format = index["partialIndexPredicate"], !format.isEmpty else { return nil }
    do {
      return try NSPredicate(parsing: format)
    } catch {
      throw ModelProblem.inconsistent(
        "The condition of the index “\(index["name"] ?? "")”, “\(format)”, is none: \(error)", entity: entity.name)
    }
  }

  private func fetchIndexElement(
    _ element: XMLElementTree, of entity: NSEntityDescription
  ) throws -> NSFetchIndexElementDescription {
    let name = element["property"] ?? ""
    guard let property = entity.findProperty(name) else {
      throw ModelProblem.inconsistent("An index names “\(name)”, which is no property.", entity: entity.name)
    }
    let result = NSFetchIndexElementDescription(
      property: property, collationType: element["type"]?.lowercased() == "rtree" ? .rTree : .binary)
    result.isAscending = element["order"] != "descending"
    return result
  }

  /// Returns the names in `<outer><group><item value="…"/>…</group>…</outer>`, group by group.
  private func groups(
    _ element: XMLElementTree, _ outer: String, _ group: String, _ item: String, of entity: NSEntityDescription
  ) throws -> [[String]] {
    try element.children(named: outer).flatMap { $0.children(named: group) }.map { group in
      try group.children(named: item).map { item in
        let name = item["value"] ?? ""
        guard entity.findProperty(name) != nil else {
          throw ModelProblem.inconsistent("\(outer) names “\(name)”, which is no property.", entity: entity.name)
        }
        return name
      }
    }
  }
}
