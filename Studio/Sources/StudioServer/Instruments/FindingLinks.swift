import CoreData
import CoreDataTools
import Foundation
import InstrumentsAnalysis

/// The links of a finding: the page of its entity, and the explanation of its fetch, in the stores of the studio.
struct FindingLinks: Sendable {
  private let stores: [RecordedStore]

  init(_ stores: [RecordedStore]) { self.stores = stores }

  func links(of finding: Finding) -> [InstrumentsPage.Link] {
    stores.flatMap { store -> [InstrumentsPage.Link] in
      var links: [InstrumentsPage.Link] = []
      if let request = finding.request, store.entities[request.entity] != nil {
        var view = EntityView(store: store.name, entity: request.entity)
        let sample = request.predicate.map { SamplePredicate(format: $0, entity: request.entity, in: store) }
        view.predicate = sample?.text
        view.sort = (request.sort ?? "").split(separator: ",").compactMap(Self.sort)
        let note = sample?.hasSamples == true ? ", with sample values" : ""
        links.append(.init("Explain the fetch in \(store.name)\(note)", view.link("/explain")))
        links.append(.init("Its objects", view.link()))
      }
      if let entity = finding.entity, entity != finding.request?.entity, store.entities[entity] != nil {
        links.append(.init("\(entity) in \(store.name)", Link.entity(store.name, entity)))
      }
      return links
    }
  }

  /// Parses a sort descriptor as recordings write it: `date`, `likes DESC`, `name (localizedStandardCompare:)`.
  private static func sort(_ text: Substring) -> ObjectQuery.Sort? {
    let words = text.split(separator: " ")
    guard let key = words.first, !words.contains(where: { $0.hasPrefix("(") }) else { return nil }
    return .init(String(key), ascending: !words.contains("DESC"))
  }
}
