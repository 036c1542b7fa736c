import CoreData
import ExampleSupport

extension Sighting {
  /// Sets the values of a record. Values that are equal already are not set, so that they are not saved again.
  func take(_ record: SightingRecord) {
    set(\.identifier, record.identifier)
    set(\.shape, record.shape)
    set(\.place, record.place)
    set(\.date, record.date)
    set(\.duration, record.duration)
  }

  private func set<Value: Equatable>(_ property: ReferenceWritableKeyPath<Sighting, Value>, _ value: Value) {
    if self[keyPath: property] != value { self[keyPath: property] = value }
  }
}
