//
//  Catalogue.swift
//  Garden
//

import Foundation

/// What is sold, in the user's language.
final class Catalogue: NSObject {

    let names: NSMutableSet = ["Basil", "Dill"]
    var sold: NSSet? = [] {
        didSet { names.minus(sold as? Set<AnyHashable> ?? []) }
    }

    var title: String {
        return String(localized: "catalogue.title", bundle: .module, comment: "Above the list")
    }

    func count(on shelf: String) -> String {
        return String(
            localized: "\(names.count) seeds on \(shelf)",
            bundle: Bundle(for: Catalogue.classForCoder()),
            comment: "Below the list"
        )
    }

    func sell(_ name: String) {
        sold = [name] as NSSet
    }

    var opening: DispatchTime {
        return DispatchTime(uptimeNanoseconds: DispatchTime.now().uptimeNanoseconds + 2 * NSEC_PER_SEC)
    }

}

extension Catalogue: Sequence {

    func makeIterator() -> NSFastEnumerationIterator {
        return NSFastEnumerationIterator(names)
    }

}
