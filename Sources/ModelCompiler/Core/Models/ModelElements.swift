import Foundation
import XMLReading

/// Reads the elements of a model's XML one after the other. Text between elements is ignored.
struct ModelElements {
  enum Event {
    case start(ModelElement)
    case end
    case finished
  }

  private var scanner: XMLScanner
  private var places: XMLPlaces

  init(_ data: Data) throws(XMLProblem) {
    scanner = try XMLScanner(data)
    places = XMLPlaces(data)
  }

  mutating func next() throws(XMLProblem) -> Event {
    while true {
      switch try scanner.next() {
      case .start(let name, let attributes):
        let place = places.advance(to: scanner.place)
        return .start(
          ModelElement(
            name: name,
            attributes: Dictionary(attributes.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }),
            place: ModelPlace(line: place.line, column: place.column)))
      case .end: return .end
      case .text: continue
      case .finished: return .finished
      }
    }
  }
}
