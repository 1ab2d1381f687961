"""The functions that expressions may call, by the names of the expression dialect.

What is not listed is refused by name. None of these reads files, settings, the clock or chance.
"""

GROUPS: dict[str, str] = {
    "aggregates": """
        any_value approx_count_distinct arg_max arg_min avg bit_and bit_or bool_and bool_or count
        count_if corr covar_pop covar_samp first group_concat kurtosis last list listagg array_agg
        mad max max_by mean median min min_by mode product quantile quantile_cont quantile_disc
        percentile_cont percentile_disc skewness stddev stddev_pop stddev_samp string_agg sum
        var_pop var_samp variance logical_and logical_or entropy fsum regr_slope
        regr_intercept regr_r2
    """,
    "windows": """
        cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank
        row_number
    """,
    "text": """
        ascii array_extract bar chr concat concat_ws contains damerau_levenshtein ends_with
        editdist3 format hamming initcap instr jaccard jaro_similarity jaro_winkler_similarity
        jarowinkler_similarity lcase left length len levenshtein lower lpad ltrim md5 nfc_normalize
        ord overlay position prefix regexp_count regexp_extract regexp_extract_all
        regexp_full_match regexp_like regexp_matches regexp_replace regexp_split_to_array
        repeat replace reverse right rpad rtrim sha256 split split_part
        starts_with startswith str_position str_split str_split_regex string_split
        string_split_regex string_to_array strip_accents strpos substr substring suffix
        translate trim ucase unicode upper url_decode url_encode printf char_length bit_length
        to_base64 from_base64 hex unhex
    """,
    "numbers": """
        abs acos asin atan atan2 cbrt ceil ceiling cos cosh cot degrees even exp factorial floor
        gamma gcd greatest_common_divisor isfinite isinf isnan lcm
        least_common_multiple lgamma ln log log10 log2 mod pi pow power radians round sign
        signbit sin sinh sqrt tan tanh trunc round_even
    """,
    "dates": """
        century date date_add date_diff date_part date_sub date_trunc datediff datepart datesub
        datetrunc day dayname dayofmonth dayofweek dayofyear decade epoch epoch_ms extract hour
        isodow isoyear last_day make_date make_time make_timestamp microsecond millisecond minute
        month monthname quarter second strftime strptime time_bucket to_days to_hours to_minutes
        to_months to_seconds to_timestamp to_weeks to_years try_strptime week weekday weekofyear
        year yearweek str_to_time date_from_parts timestamp_from_parts
    """,
    "choices": "coalesce if ifnull nullif nvl case try greatest least cast try_cast",
    "lists": """
        array_append array_concat array_contains array_distinct array_has array_length
        array_position array_prepend array_reverse array_slice array_sort array_to_string
        element_at flatten generate_series array_aggregate list_aggregate
        list_any_value list_append list_avg list_concat list_contains list_count list_distinct
        list_element list_extract list_filter list_first list_has list_has_all list_has_any
        list_intersect list_last list_max list_median list_min list_position list_prepend
        list_product list_reduce list_resize list_reverse array_reverse_sort list_reverse_sort
        list_slice list_sort
        list_sum list_transform list_unique list_value list_zip range unnest filter
        array_transform array_filter array_unique list_mode list_dot_product
        list_cosine_similarity array_has_all array_has_any
    """,
    "structures": """
        json_extract json_extract_string json_array_length json_keys json_valid map map_extract
        map_keys map_values row struct_extract struct_pack
    """,
}

FUNCTIONS: frozenset[str] = frozenset(name for group in GROUPS.values() for name in group.split())

AGGREGATES: frozenset[str] = frozenset(GROUPS["aggregates"].split())
