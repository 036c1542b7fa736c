//
//  Entry+CoreDataClass.swift
//  Journal
//

import Foundation
import CoreData

@objc(Entry)
public class Entry: NSManagedObject {

    @objc dynamic public var date: Date {
        get {
            willAccessValue(forKey: #keyPath(date))
            defer { didAccessValue(forKey: #keyPath(date)) }
            return primitiveDate ?? .distantPast
        }
        set {
            willChangeValue(forKey: #keyPath(date))
            primitiveDate = newValue
            didChangeValue(forKey: #keyPath(date))
            primitiveMonthIdentifier = nil
        }
    }

    /// The month of the entry, worked out when somebody asks for it: a transient attribute.
    @objc public var monthIdentifier: String? {
        willAccessValue(forKey: "monthIdentifier")
        var identifier = primitiveMonthIdentifier
        didAccessValue(forKey: "monthIdentifier")
        if identifier == nil, let date = primitiveDate {
            let components = Entry.calendar.dateComponents([.year, .month], from: date)
            identifier = String(format: "%04d-%02d", components.year ?? 0, components.month ?? 0)
            primitiveMonthIdentifier = identifier
        }
        return identifier
    }

    /// The title of the list's section: not in the model at all.
    @objc public var sectionTitle: String? {
        if isPinned { return "Pinned" }
        let year = Entry.calendar.component(.year, from: date)
        return "\(year)"
    }

    @objc public var tagNames: [String] {
        return (tags as? Set<Tag> ?? []).compactMap { $0.name }.sorted()
    }

    @NSManaged private var primitiveDate: Date?
    @NSManaged private var primitiveMonthIdentifier: String?

    static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        return calendar
    }()

    // MARK: - Observing

    @objc class func keyPathsForValuesAffectingSectionTitle() -> Set<String> {
        return [#keyPath(Entry.date), #keyPath(Entry.isPinned)]
    }

    @objc public class func keyPathsForValuesAffectingMonthIdentifier() -> Set<String> {
        return [#keyPath(date)]
    }

    // MARK: - Validation

    @objc func validateRating(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let rating = value.pointee as? NSNumber else { return }
        if !(0...5).contains(rating.intValue) {
            throw EntryError.ratingOutOfRange(rating.intValue)
        }
    }

}

enum EntryError: LocalizedError, CustomNSError, Equatable {

    case ratingOutOfRange(Int)
    case titleMissing

    static var errorDomain: String { "EntryErrorDomain" }

    var errorCode: Int {
        switch self {
        case .ratingOutOfRange: return 1
        case .titleMissing: return 2
        }
    }

    var errorDescription: String? {
        switch self {
        case .ratingOutOfRange(let rating): return "A rating is from 0 to 5, not \(rating)."
        case .titleMissing: return "An entry needs a title."
        }
    }

}
